package dev.berth.policy.allocation;

import dev.berth.model.core.NodeView;
import dev.berth.model.device.DeviceClassView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.policy.allocation.AllocationOutcome.Allocated;
import dev.berth.policy.allocation.AllocationOutcome.Failed;
import dev.berth.policy.allocation.AllocationOutcome.NotOnNode;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for claims on a node, as upstream's structured allocator does: the first solution
 * of an exhaustive search over claims, requests and devices, in the order of pools, slices and
 * devices. So drivers say by their names what is taken first.
 *
 * @param classes by name; null if there is none
 * @param shareIds makes the identity of each use of a device that several claims share
 */
public record DeviceAllocator(
    DeviceInventory inventory,
    AllocatedDevices allocated,
    Function<String, @Nullable DeviceClassView> classes,
    DeviceSelectors selectors,
    Supplier<String> shareIds) {

  private static final String NOT_ALL = "cannot allocate all claims";

  /** Whether, and how, all of these claims can be allocated for a node. */
  public AllocationOutcome allocate(List<ResourceClaimView> claims, NodeView node) {
    List<DevicePool> pools = inventory.pools(node);
    try {
      AllocationSearch search = new AllocationSearch(this, pools, node, claims);
      if (search.run()) {
        return new Allocated(new AllocationResults(node, shareIds).of(search.claims()));
      }
    } catch (AllocationException wrong) {
      return new Failed(wrong.reason());
    } catch (SearchLimitException _) {
      return new NotOnNode("node " + node.name() + ": timed out trying to allocate devices");
    }
    return pools.stream().anyMatch(pool -> pool.state() == DevicePool.State.INVALID)
        ? new NotOnNode("invalid resource pools were encountered")
        : new NotOnNode(NOT_ALL);
  }

  /**
   * Ends a search that takes too long. Upstream's ends after some seconds; ours after some steps,
   * so that the same cluster gives the same answer.
   */
  static final class SearchLimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SearchLimitException() {
      super("too many steps", null, false, false);
    }
  }
}
