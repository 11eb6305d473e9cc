package dev.berth.policy.resourceclaim;

import dev.berth.model.device.ResourceClaimView;
import java.util.Set;

/**
 * A claim, and what is known about those that it is for.
 *
 * @param goneConsumers the UIDs of those of its consumers that are gone or will not run any more
 * @param isOwnerDone whether the pod that it was made for is there and will not run any more, or
 *     has been replaced by another of its name
 */
public record ClaimUsers(ResourceClaimView claim, Set<String> goneConsumers, boolean isOwnerDone) {

  public ClaimUsers {
    goneConsumers = Set.copyOf(goneConsumers);
  }
}
