package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A pod's specification, as far as its life is concerned.
 *
 * @param isStatic whether the node runs it from a file or a URL
 * @param graceSeconds how long its containers get to end: of its deletion if it is being deleted
 */
public record PodRules(
    String restartPolicy,
    boolean isStatic,
    boolean isBeingDeleted,
    OptionalLong graceSeconds,
    OptionalLong deletionGraceSeconds,
    OptionalLong activeDeadlineSeconds,
    List<ContainerRules> inits,
    List<ContainerRules> containers,
    List<ContainerRules> ephemerals,
    List<String> readinessGates,
    long generation) {

  public static PodRules read(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    JsonObject spec = pod.object("spec");
    return new PodRules(
        spec.text("restartPolicy", "Always"),
        PodPlatform.isStatic(metadata),
        metadata.isBeingDeleted(),
        spec.integer("terminationGracePeriodSeconds"),
        metadata.deletionGracePeriodSeconds(),
        spec.integer("activeDeadlineSeconds"),
        containers(spec.array("initContainers"), true),
        containers(spec.array("containers"), false),
        containers(spec.array("ephemeralContainers"), false),
        spec.array("readinessGates").objects().stream()
            .map(gate -> gate.text("conditionType", ""))
            .toList(),
        metadata.generation());
  }

  private static List<ContainerRules> containers(JsonArray containers, boolean areInits) {
    return containers.objects().stream().map(c -> ContainerRules.read(c, areInits)).toList();
  }

  /** When it has been active for too long; empty if it may be for ever. */
  public Optional<Instant> activeUntil(Instant startTime) {
    return activeDeadlineSeconds.isPresent()
        ? Optional.of(startTime.plus(Duration.ofSeconds(activeDeadlineSeconds.getAsLong())))
        : Optional.empty();
  }
}
