package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceRequestView.Wanted;
import dev.berth.model.device.DeviceTaint;
import dev.berth.model.device.DeviceView;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.allocation.ClaimSearch.Alternative;
import dev.berth.policy.allocation.ClaimSearch.Chosen;
import dev.berth.policy.allocation.ClaimSearch.Place;
import dev.berth.policy.allocation.ClaimSearch.RequestSearch;
import dev.berth.policy.allocation.DevicePool.PoolDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which devices a search has chosen so far, on top of those that claims have already.
 *
 * <ul>
 *   <li>A device is for one claim, unless it allows several; each of those takes its part of the
 *       capacity. A request with admin access takes devices that others have, once for a claim.
 *   <li>A device that takes counters of its pool needs what is left of them; one that is shared
 *       takes them once.
 *   <li>A tainted device is for requests that tolerate its taints.
 * </ul>
 */
final class DevicesInSearch {
  private final AllocatedDevices allocated;
  private final CounterLedger counters;
  private final Map<DeviceId, List<Integer>> claimsByDevice = new HashMap<>();

  /** What was chosen of devices that are shared, once for each use. */
  private final Map<DeviceId, List<Map<String, Quantity>>> shares = new HashMap<>();

  /** Why a device cannot be taken. */
  enum Obstacle {
    IN_USE,
    COUNTERS,
    TAINT,
    CONSTRAINT,
    CAPACITY
  }

  DevicesInSearch(AllocatedDevices allocated) {
    this.allocated = allocated;
    this.counters = new CounterLedger(allocated);
  }

  /** Whether a device is not in use, as far as a request minds. */
  boolean isFree(int claim, Wanted wanted, PoolDevice device) {
    List<Integer> users = claimsByDevice.getOrDefault(device.id(), List.of());
    return wanted.adminAccess()
        ? !users.contains(claim)
        : users.isEmpty() && !allocated.isAllocated(device.id());
  }

  /** Whether a device has the capacity that a request asks for. */
  boolean hasRoom(Wanted wanted, PoolDevice device) {
    Map<String, Quantity> used = allocated.consumed(device.id());
    Map<String, Quantity> chosen = new HashMap<>();
    for (Map<String, Quantity> share : shares.getOrDefault(device.id(), List.of())) {
      share.forEach((name, amount) -> chosen.merge(name, amount, Quantity::plus));
    }
    return CapacityRules.fits(
        wanted.amounts(), device.device().capacity(), used == null ? Map.of() : used, chosen);
  }

  /** Takes a device for a request; returns why it could not, or null if it did. */
  @Nullable Obstacle take(
      int c, ClaimSearch claim, RequestSearch request, Alternative wanted, Place place) {
    PoolDevice device = place.device();
    DeviceView view = device.device();
    if (!(view.shared() && wanted.wanted().adminAccess()) && !isFree(c, wanted.wanted(), device)) {
      return Obstacle.IN_USE;
    }
    boolean counts = countsFor(device);
    if (counts && !counters.take(place.pool(), view)) {
      return Obstacle.COUNTERS;
    }
    Obstacle obstacle = otherObstacle(claim, request, wanted, device);
    if (obstacle != null) {
      if (counts) {
        counters.giveBack(place.pool(), view);
      }
      return obstacle;
    }
    Map<String, Quantity> consumed = Map.of();
    if (view.shared()) {
      consumed = CapacityRules.consumed(wanted.wanted().amounts(), view.capacity());
      shares.computeIfAbsent(device.id(), _ -> new ArrayList<>()).add(consumed);
    } else {
      claimsByDevice.computeIfAbsent(device.id(), _ -> new ArrayList<>()).add(c);
    }
    claim.chosen().add(new Chosen(wanted, place, consumed));
    return null;
  }

  private boolean countsFor(PoolDevice device) {
    boolean isSharedAlready =
        device.device().shared()
            && (allocated.consumed(device.id()) != null || shares.containsKey(device.id()));
    return !device.device().consumes().isEmpty() && !isSharedAlready;
  }

  private @Nullable Obstacle otherObstacle(
      ClaimSearch claim, RequestSearch request, Alternative wanted, PoolDevice device) {
    for (DeviceTaint taint : device.device().taints()) {
      if (taint.preventsAllocation() && !wanted.wanted().tolerates(taint)) {
        return Obstacle.TAINT;
      }
    }
    if (!hasRoom(wanted.wanted(), device)) {
      return Obstacle.CAPACITY;
    }
    String name = request.request().name();
    List<AttributeConstraint> constraints = claim.constraints();
    for (int i = 0; i < constraints.size(); i++) {
      if (!constraints.get(i).add(name, wanted.reference(), device.device(), device.id())) {
        for (int added = i - 1; added >= 0; added--) {
          constraints.get(added).removeLast(name, wanted.reference());
        }
        return Obstacle.CONSTRAINT;
      }
    }
    return null;
  }

  /** Gives back what was taken last for a claim. */
  void undo(int c, ClaimSearch claim, RequestSearch request) {
    Chosen last = claim.chosen().removeLast();
    PoolDevice device = last.place().device();
    String reference = last.alternative().reference();
    claim
        .constraints()
        .forEach(constraint -> constraint.removeLast(request.request().name(), reference));
    if (device.device().shared()) {
      removeLast(shares, device.id());
    } else {
      List<Integer> users = claimsByDevice.getOrDefault(device.id(), new ArrayList<>());
      users.remove((Object) c);
      if (users.isEmpty()) {
        claimsByDevice.remove(device.id());
      }
    }
    if (countsFor(device)) {
      counters.giveBack(last.place().pool(), device.device());
    }
  }

  private static void removeLast(
      Map<DeviceId, List<Map<String, Quantity>>> shares, DeviceId device) {
    List<Map<String, Quantity>> uses = shares.getOrDefault(device, new ArrayList<>());
    uses.removeLast();
    if (uses.isEmpty()) {
      shares.remove(device);
    }
  }
}
