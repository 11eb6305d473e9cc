package dev.berth.policy.autoscale;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodTree;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an autoscaler has to know of a pod.
 *
 * @param startTime null until its node has seen it
 * @param ready whether it is; null if nobody has said
 * @param readySince when that changed last
 */
public record MeasuredPod(
    String name,
    PodPhase phase,
    boolean isBeingDeleted,
    @Nullable Instant startTime,
    @Nullable ConditionStatus ready,
    Instant readySince,
    PodSpecView spec) {

  public static MeasuredPod read(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    Optional<Condition> condition = pod.condition(Condition.READY);
    Instant since = condition.map(Condition::lastTransitionTime).orElse(null);
    return new MeasuredPod(
        pod.name().name(),
        pod.phase(),
        pod.metadata().isBeingDeleted(),
        pod.startTime().orElse(null),
        condition.map(Condition::status).orElse(null),
        since == null ? Instant.EPOCH : since,
        pod.readSpec());
  }

  boolean isReady() {
    return ready == ConditionStatus.TRUE;
  }
}
