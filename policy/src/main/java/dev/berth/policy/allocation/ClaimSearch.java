package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceClassView;
import dev.berth.model.device.DeviceRequestView;
import dev.berth.model.device.DeviceRequestView.Wanted;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.allocation.DevicePool.PoolDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A claim in a search: what it asks for, and what was chosen so far. */
final class ClaimSearch {
  private final ResourceClaimView claim;
  private final List<RequestSearch> requests = new ArrayList<>();
  private final List<AttributeConstraint> constraints = new ArrayList<>();
  private final List<Chosen> chosen = new ArrayList<>();

  ClaimSearch(ResourceClaimView claim) {
    this.claim = claim;
    int number = 0;
    for (JsonObject written : claim.constraints()) {
      AttributeConstraint constraint = AttributeConstraint.of(written);
      if (constraint == null) {
        throw new AllocationException(
            "claim %s, constraint #%d: empty constraint (unsupported constraint type?)"
                .formatted(claim.name(), number));
      }
      constraints.add(constraint);
      number++;
    }
  }

  ResourceClaimView claim() {
    return claim;
  }

  List<RequestSearch> requests() {
    return requests;
  }

  List<AttributeConstraint> constraints() {
    return constraints;
  }

  /** The devices that were chosen, in the order in which they were. */
  List<Chosen> chosen() {
    return chosen;
  }

  /** A request; which of its alternatives was chosen is known once a search succeeded. */
  static final class RequestSearch {
    private final DeviceRequestView request;
    private final List<Alternative> alternatives = new ArrayList<>();
    private int taken;

    RequestSearch(DeviceRequestView request) {
      this.request = request;
    }

    DeviceRequestView request() {
      return request;
    }

    List<Alternative> alternatives() {
      return alternatives;
    }

    void take(int alternative) {
      taken = alternative;
    }

    Alternative taken() {
      return alternatives.get(taken);
    }
  }

  /**
   * What may satisfy a request.
   *
   * @param reference its name in results
   * @param all the devices that it needs all of; empty if it needs any that do
   */
  record Alternative(
      Wanted wanted, String reference, DeviceClassView deviceClass, int count, List<Place> all) {
    boolean needsAll() {
      return wanted.mode().equals("All");
    }
  }

  /** A device of a pool. */
  record Place(DevicePool pool, PoolDevice device) {}

  /** A device that was chosen, and what it is used for. */
  record Chosen(Alternative alternative, Place place, Map<String, Quantity> consumed) {}
}
