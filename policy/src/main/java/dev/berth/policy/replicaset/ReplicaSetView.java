package dev.berth.policy.replicaset;

import dev.berth.model.meta.Metadata;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;

/**
 * A replica set, or a replication controller, as decisions see it.
 *
 * @param tree as it was read
 * @param replicas how many pods it is to have
 * @param minReady how long a pod must be ready to be available
 * @param template what its pods are made from
 */
public record ReplicaSetView(
    JsonObject tree, Metadata metadata, long replicas, Duration minReady, JsonObject template) {

  public static ReplicaSetView read(JsonObject set) {
    JsonObject spec = set.object("spec");
    return new ReplicaSetView(
        set,
        Metadata.of(set),
        spec.integer("replicas").orElse(1),
        Duration.ofSeconds(spec.integer("minReadySeconds").orElse(0)),
        spec.object("template"));
  }

  /** The older kind, whose status says less. */
  boolean isReplicationController() {
    return tree.text("kind", "").equals("ReplicationController");
  }

  /** The labels that its pods are made with. */
  LabelSelector templateLabels() {
    return LabelSelector.ofLabels(template.object("metadata").object("labels"));
  }
}
