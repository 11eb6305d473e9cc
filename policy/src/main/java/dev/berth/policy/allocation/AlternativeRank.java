package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceRequestView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * How much an allocation is what a claim would rather have: for each request with alternatives, the
 * more the earlier the alternative that it got.
 */
public final class AlternativeRank {
  /** How many alternatives a request may have. */
  private static final int MOST_ALTERNATIVES = 8;

  private AlternativeRank() {}

  /** The sum over the requests of a claim. */
  public static long of(ResourceClaimView claim, JsonObject allocation) {
    Set<String> taken = ResourceClaimView.requestsOf(allocation);
    long sum = 0;
    for (DeviceRequestView request : claim.requests()) {
      List<DeviceRequestView.Wanted> alternatives = request.alternatives();
      for (int i = 0; request.isPrioritized() && i < alternatives.size(); i++) {
        if (taken.contains(request.reference(alternatives.get(i)))) {
          sum += MOST_ALTERNATIVES - i;
        }
      }
    }
    return sum;
  }

  /** Whether there is anything to prefer. */
  public static boolean matters(ResourceClaimView claim) {
    return claim.requests().stream().anyMatch(DeviceRequestView::isPrioritized);
  }
}
