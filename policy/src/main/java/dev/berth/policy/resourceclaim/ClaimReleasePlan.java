package dev.berth.policy.resourceclaim;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.device.ResourceClaimView.Consumer;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * How a claim is given back.
 *
 * <ol>
 *   <li>Pods that are gone or will not run any more are no longer among its consumers; consumers
 *       that are no pods stay.
 *   <li>With its last consumer a claim loses its allocation, so that others can have the devices,
 *       and the next pod is not bound to the last one's node. A claim that nobody has used yet
 *       keeps it.
 *   <li>A claim that is being deleted and has no consumer loses it as well; and without an
 *       allocation nothing keeps it from going.
 *   <li>A claim that was made for a pod which will not run any more is deleted, without waiting for
 *       the pod to be.
 * </ol>
 *
 * @param status the claim with its new status; empty if that does not change
 * @param losesFinalizer whether it loses its finalizer once the status is written
 */
public record ClaimReleasePlan(
    Optional<JsonObject> status, boolean losesFinalizer, boolean isDeleted) {

  public boolean isEmpty() {
    return status.isEmpty() && !losesFinalizer && !isDeleted;
  }

  public static ClaimReleasePlan decide(ClaimUsers users) {
    ResourceClaimView claim = users.claim();
    List<Consumer> remaining =
        claim.reservedFor().stream()
            .filter(
                consumer -> !consumer.isPod() || !users.goneConsumers().contains(consumer.uid()))
            .toList();
    boolean isProtected = claim.metadata().finalizers().contains(ResourceClaimView.FINALIZER);
    boolean isLessUsed = remaining.size() < claim.reservedFor().size();
    boolean isUnused = remaining.isEmpty();
    boolean isReleased =
        isProtected && isUnused && (isLessUsed || claim.metadata().isBeingDeleted());
    JsonObject status = claim.tree();
    if (isLessUsed) {
      status = ResourceClaimView.reservedFor(status, remaining);
    }
    if (isReleased) {
      status = ResourceClaimView.deallocated(status);
    }
    return new ClaimReleasePlan(
        status.equals(claim.tree()) ? Optional.empty() : Optional.of(status),
        isReleased || (isLessUsed && isProtected && claim.allocation() == null),
        isUnused && users.isOwnerDone());
  }
}
