package dev.berth.policy.allocation;

import dev.berth.model.core.NodeView;
import dev.berth.model.device.DeviceClassView;
import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceRequestView;
import dev.berth.model.device.DeviceRequestView.Wanted;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.policy.allocation.ClaimSearch.Alternative;
import dev.berth.policy.allocation.ClaimSearch.Place;
import dev.berth.policy.allocation.ClaimSearch.RequestSearch;
import dev.berth.policy.allocation.DeviceAllocator.SearchLimitException;
import dev.berth.policy.allocation.DevicePool.PoolDevice;
import java.util.ArrayList;
import java.util.List;

/**
 * The search for devices for claims on one node.
 *
 * <ol>
 *   <li>Claims, requests and the devices of a request are gone through one after the other; where
 *       no device is left, the last choice is undone and the next device tried.
 *   <li>Of alternatives, the first that leads to a solution is taken.
 *   <li>The devices of one request are chosen in ascending order: another order of the same devices
 *       is no other solution.
 *   <li>A claim has so many devices at most; alternatives that need more are skipped.
 * </ol>
 */
final class AllocationSearch {
  /** Enough for what is sensible, and soon over for what is not. */
  private static final int MOST_STEPS = 200_000;

  private final DeviceAllocator parts;
  private final List<DevicePool> pools;
  private final NodeView node;
  private final List<ClaimSearch> claims = new ArrayList<>();
  private final DevicesInSearch taken;
  private int steps;

  /** How one branch of a search ended. */
  private enum Ended {
    FOUND,
    NOT_FOUND,
    /** The claim would have too many devices. */
    TOO_MANY
  }

  AllocationSearch(
      DeviceAllocator parts,
      List<DevicePool> pools,
      NodeView node,
      List<ResourceClaimView> wanted) {
    this.parts = parts;
    this.pools = pools;
    this.node = node;
    this.taken = new DevicesInSearch(parts.allocated());
    for (ResourceClaimView claim : wanted) {
      claims.add(prepare(claim));
    }
  }

  List<ClaimSearch> claims() {
    return claims;
  }

  /** Whether there is a solution; the claims know it then. */
  boolean run() {
    return search(0, 0, -1, 0, 0, 0) == Ended.FOUND;
  }

  private ClaimSearch prepare(ResourceClaimView claim) {
    ClaimSearch prepared = new ClaimSearch(claim);
    long fewest = 0;
    for (DeviceRequestView request : claim.requests()) {
      RequestSearch search = new RequestSearch(request);
      long fewestOfRequest = Long.MAX_VALUE;
      for (Wanted wanted : request.alternatives()) {
        Alternative alternative = prepare(claim, request, wanted);
        search.alternatives().add(alternative);
        fewestOfRequest = Math.min(fewestOfRequest, alternative.count());
      }
      if (search.alternatives().isEmpty()) {
        throw wrong(claim, request.name(), "unknown request type");
      }
      fewest += fewestOfRequest;
      prepared.requests().add(search);
    }
    if (fewest > ResourceClaimView.MOST_DEVICES) {
      throw new AllocationException(
          "claim %s: number of requested devices %d exceeds the claim limit of %d"
              .formatted(claim.name(), fewest, ResourceClaimView.MOST_DEVICES));
    }
    return prepared;
  }

  private static AllocationException wrong(
      ResourceClaimView claim, String request, String message) {
    return new AllocationException(
        "claim %s, request %s: %s".formatted(claim.name(), request, message));
  }

  private Alternative prepare(ResourceClaimView claim, DeviceRequestView request, Wanted wanted) {
    if (wanted.deviceClass().isEmpty()) {
      throw wrong(claim, wanted.name(), "missing device class name (unsupported request type?)");
    }
    DeviceClassView deviceClass = parts.classes().apply(wanted.deviceClass());
    if (deviceClass == null) {
      throw wrong(
          claim,
          wanted.name(),
          "could not retrieve device class %s: deviceclass.resource.k8s.io \"%s\" not found"
              .formatted(wanted.deviceClass(), wanted.deviceClass()));
    }
    String reference = request.reference(wanted);
    return switch (wanted.mode()) {
      case "ExactCount" ->
          new Alternative(
              wanted,
              reference,
              deviceClass,
              Math.toIntExact(Math.min(wanted.count(), Integer.MAX_VALUE)),
              List.of());
      case "All" -> {
        List<Place> all = all(claim, wanted, deviceClass);
        yield new Alternative(wanted, reference, deviceClass, all.size(), all);
      }
      default -> throw wrong(claim, wanted.name(), "unsupported count mode " + wanted.mode());
    };
  }

  private List<Place> all(ResourceClaimView claim, Wanted wanted, DeviceClassView deviceClass) {
    List<Place> all = new ArrayList<>();
    for (DevicePool pool : pools) {
      String problem =
          switch (pool.state()) {
            case USABLE -> "";
            case INCOMPLETE -> "being updated";
            case INVALID -> "invalid";
          };
      if (!problem.isEmpty()) {
        throw wrong(
            claim,
            wanted.name(),
            "asks for all devices, but resource pool %s is currently %s"
                .formatted(pool.id(), problem));
      }
      for (PoolDevice device : pool.devices()) {
        if (isSelected(claim, wanted, deviceClass, device) && taken.hasRoom(wanted, device)) {
          all.add(new Place(pool, device));
        }
      }
    }
    return all;
  }

  /**
   * Goes on with a device of a request.
   *
   * @param sub the alternative that is tried; negative if none is yet
   * @param index how many devices the request has already
   * @param fromPool where to begin to look, since what is before was tried
   * @param fromDevice likewise, in that pool
   */
  private Ended search(int c, int r, int sub, int index, int fromPool, int fromDevice) {
    steps++;
    if (steps > MOST_STEPS) {
      throw new SearchLimitException();
    }
    if (c == claims.size()) {
      return Ended.FOUND;
    }
    ClaimSearch claim = claims.get(c);
    if (r == claim.requests().size()) {
      // With another choice before, the next claim may be content with fewer devices.
      Ended ended = search(c + 1, 0, -1, 0, 0, 0);
      return ended == Ended.TOO_MANY ? Ended.NOT_FOUND : ended;
    }
    RequestSearch request = claim.requests().get(r);
    if (sub < 0 && request.request().isPrioritized()) {
      return searchAlternatives(c, r, request);
    }
    Alternative wanted = request.alternatives().get(Math.max(sub, 0));
    if (wanted.needsAll() && wanted.all().isEmpty()) {
      return Ended.NOT_FOUND;
    }
    if (index >= wanted.count()) {
      return search(c, r + 1, -1, 0, 0, 0);
    }
    if ((long) claim.chosen().size() + wanted.count() - index > ResourceClaimView.MOST_DEVICES) {
      return Ended.TOO_MANY;
    }
    if (wanted.needsAll()) {
      return searchAll(c, r, sub, index, wanted);
    }
    for (int p = fromPool; p < pools.size(); p++) {
      DevicePool pool = pools.get(p);
      List<PoolDevice> devices = pool.devices();
      for (int d = p == fromPool ? fromDevice : 0; d < devices.size(); d++) {
        PoolDevice device = devices.get(d);
        if (!taken.isFree(c, wanted.wanted(), device)
            || !isSelected(claim.claim(), wanted.wanted(), wanted.deviceClass(), device)
            || !taken.hasRoom(wanted.wanted(), device)
            || taken.take(c, claim, request, wanted, new Place(pool, device)) != null) {
          continue;
        }
        Ended ended = search(c, r, sub, index + 1, p, d + 1);
        if (ended == Ended.FOUND) {
          return ended;
        }
        taken.undo(c, claim, request);
        if (ended == Ended.TOO_MANY) {
          return ended;
        }
      }
    }
    return Ended.NOT_FOUND;
  }

  private Ended searchAlternatives(int c, int r, RequestSearch request) {
    boolean allTooMany = true;
    for (int sub = 0; sub < request.alternatives().size(); sub++) {
      Ended ended = search(c, r, sub, 0, 0, 0);
      if (ended == Ended.FOUND) {
        request.take(sub);
        return ended;
      }
      allTooMany &= ended == Ended.TOO_MANY;
    }
    return allTooMany ? Ended.TOO_MANY : Ended.NOT_FOUND;
  }

  /** All devices are needed, so there is no choice: each of them is free or nothing helps. */
  private Ended searchAll(int c, int r, int sub, int index, Alternative wanted) {
    ClaimSearch claim = claims.get(c);
    RequestSearch request = claim.requests().get(r);
    Place place = wanted.all().get(index);
    DevicesInSearch.Obstacle obstacle = taken.take(c, claim, request, wanted, place);
    if (obstacle == DevicesInSearch.Obstacle.CONSTRAINT) {
      throw wrong(
          claim.claim(),
          wanted.wanted().name(),
          "cannot add device %s because a claim constraint would not be satisfied"
              .formatted(place.device().id()));
    }
    if (obstacle != null) {
      return Ended.NOT_FOUND;
    }
    Ended ended = search(c, r, sub, index + 1, 0, 0);
    if (ended != Ended.FOUND) {
      taken.undo(c, claim, request);
    }
    return ended;
  }

  private boolean isSelected(
      ResourceClaimView claim, Wanted wanted, DeviceClassView deviceClass, PoolDevice device) {
    return matches("class " + deviceClass.name(), deviceClass.selectors(), device)
        && matches("claim " + claim.name(), wanted.selectors(), device)
        && (!device.slice().perDevice()
            || DeviceInventory.isReached(device.device().place(), node));
  }

  private boolean matches(String whose, List<String> selectors, PoolDevice device) {
    DeviceView view = device.device();
    DeviceId id = device.id();
    for (int i = 0; i < selectors.size(); i++) {
      switch (parts.selectors().select(selectors.get(i), id.driver(), view)) {
        case DeviceSelectors.Answer.Selected(boolean isSelected) -> {
          if (!isSelected) {
            return false;
          }
        }
        case DeviceSelectors.Answer.Failed(String message) ->
            throw new AllocationException("%s: selector #%d: %s".formatted(whose, i, message));
      }
    }
    return true;
  }
}
