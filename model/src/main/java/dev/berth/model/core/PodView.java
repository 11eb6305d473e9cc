package dev.berth.model.core;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod as controllers and the scheduler see it.
 *
 * <p>There may be a million and more of these, so what is rarely looked at (labels, annotations,
 * conditions) is the tree's own and is read when asked for.
 *
 * @param controller what manages the pod; null if nothing does
 * @param ready whether the Ready condition is True
 */
public record PodView(
    String namespace,
    String name,
    String uid,
    JsonObject labels,
    JsonObject annotations,
    @Nullable OwnerReference controller,
    @Nullable Instant creationTimestamp,
    @Nullable Instant deletionTimestamp,
    PodSpecView spec,
    PodPhase phase,
    boolean ready,
    JsonArray conditions) {

  public static PodView read(JsonObject pod) {
    JsonObject metadata = pod.object("metadata");
    JsonObject status = pod.object("status");
    JsonArray conditions = status.array("conditions");
    return new PodView(
        metadata.text("namespace", ""),
        metadata.text("name", ""),
        metadata.text("uid", ""),
        metadata.object("labels"),
        metadata.object("annotations"),
        new Metadata(metadata)
            .controller()
            .map(owner -> Views.share(owner, metadata.array("ownerReferences")))
            .orElse(null),
        WireTime.read(metadata, "creationTimestamp"),
        WireTime.read(metadata, "deletionTimestamp"),
        PodSpecView.read(pod.object("spec")),
        PodPhase.of(status.text("phase", "")),
        Conditions.isTrue(conditions, Condition.READY),
        conditions);
  }

  public Optional<Condition> condition(String type) {
    return Conditions.find(conditions, type).map(Condition::read);
  }

  public boolean hasAnnotation(String key) {
    return annotations.has(key);
  }

  /** Whether its deletion was requested. */
  public boolean terminating() {
    return deletionTimestamp != null;
  }
}
