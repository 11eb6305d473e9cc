package dev.berth.policy.cloud;

import dev.berth.model.core.CloudNodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a node because of its machine (row N9):
 *
 * <ol>
 *   <li>A ready node has no taint {@code shutdown}, and its cloud is not asked.
 *   <li>A node that is not ready is deleted if its cloud has no such machine, and tainted if its
 *       machine is stopped.
 *   <li>While nobody knows, nothing happens. Nor does it to a node whose machine runs again: the
 *       taint goes when the node is ready.
 * </ol>
 *
 * @param withStatus as it is: nothing is written but by actions
 */
public record CloudLifecyclePlan(
    List<CloudLifecycleAction> actions, JsonObject withStatus, Optional<Instant> next)
    implements Decision<CloudLifecycleAction> {
  private static final Taint SHUTDOWN = Taint.of(WellKnownTaints.SHUTDOWN, TaintEffect.NO_SCHEDULE);

  public CloudLifecyclePlan {
    actions = List.copyOf(actions);
  }

  /** Whether the cloud is asked at all. */
  public static boolean isCloudAsked(CloudNodeView node) {
    return !node.isReady();
  }

  public static CloudLifecyclePlan decide(CloudNode state) {
    JsonArray taints = state.node().taints();
    if (!isCloudAsked(state.node())) {
      return new CloudLifecyclePlan(
          isTainted(taints)
              ? List.of(new CloudLifecycleAction.SetTaints(without(taints), false))
              : List.of(),
          state.tree(),
          Optional.empty());
    }
    List<CloudLifecycleAction> actions =
        switch (state.answer().orElse(new CloudAnswer.Failed("the cloud was not asked"))) {
          case CloudAnswer.NotFound() -> List.of(new CloudLifecycleAction.Delete());
          case CloudAnswer.Found(Machine machine) when machine.isStopped() && !isTainted(taints) ->
              List.of(new CloudLifecycleAction.SetTaints(taints.append(SHUTDOWN.toTree()), true));
          case CloudAnswer.Found _ -> List.of();
          case CloudAnswer.Failed _ -> List.of();
        };
    return new CloudLifecyclePlan(actions, state.tree(), Optional.of(state.next()));
  }

  private static boolean isTainted(JsonArray taints) {
    return taints.objects().stream().map(Taint::read).anyMatch(SHUTDOWN::sameKeyAndEffect);
  }

  private static JsonArray without(JsonArray taints) {
    return JsonArray.copyOf(
        taints.objects().stream()
            .filter(taint -> !SHUTDOWN.sameKeyAndEffect(Taint.read(taint)))
            .toList());
  }
}
