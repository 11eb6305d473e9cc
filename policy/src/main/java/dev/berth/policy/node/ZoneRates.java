package dev.berth.policy.node;

import dev.berth.model.core.Zone;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The eviction rates of all zones, so that a mass outage does not become a mass eviction.
 *
 * <ol>
 *   <li>A zone where the share of unhealthy nodes is at least the threshold, and more than two are
 *       unhealthy, is partially disrupted. It is emptied at the secondary rate if it is large, and
 *       not at all if it is not. The two are upstream's: in a zone of three nodes, two that fail
 *       are bad luck and their pods should move, but by the share alone they would stay.
 *   <li>A zone where no node is healthy is fully disrupted. Its pods can go to another zone, so it
 *       is emptied at the normal rate.
 *   <li>If all zones are fully disrupted, nothing is evicted anywhere.
 *   <li>Every other zone works, and is emptied at the normal rate.
 * </ol>
 *
 * @param allDown whether every zone is fully disrupted
 * @param rates the rate of each zone, in the order they were given
 */
public record ZoneRates(boolean allDown, List<ZoneRate> rates) {
  private static final int MOST_UNHEALTHY_IN_A_WORKING_ZONE = 2;

  public ZoneRates {
    rates = List.copyOf(rates);
  }

  /** What it means that every zone went down, or that one came back. */
  public enum Change {
    NONE,
    /** Evictions that are counting down stop: NoExecute taints for node problems are removed. */
    ALL_WENT_DOWN,
    /** Evictions resume; every node gets a full grace period first. */
    SOME_CAME_BACK
  }

  public static ZoneRates of(List<ZoneHealth> zones, ZoneSettings settings) {
    boolean allDown =
        !zones.isEmpty()
            && zones.stream().allMatch(z -> state(z, settings) == ZoneState.FULL_DISRUPTION);
    List<ZoneRate> rates = new ArrayList<>();
    for (ZoneHealth zone : zones) {
      rates.add(rate(zone, allDown, settings));
    }
    return new ZoneRates(allDown, rates);
  }

  private static ZoneRate rate(ZoneHealth zone, boolean allDown, ZoneSettings settings) {
    ZoneState state = state(zone, settings);
    ZoneRate.Reason reason =
        switch (state) {
          case NORMAL -> ZoneRate.Reason.ZONE_WORKS;
          case FULL_DISRUPTION ->
              allDown ? ZoneRate.Reason.ALL_ZONES_DOWN : ZoneRate.Reason.ZONE_DOWN;
          case PARTIAL_DISRUPTION ->
              zone.nodes() > settings.largeZone()
                  ? ZoneRate.Reason.LARGE_ZONE_DISRUPTED
                  : ZoneRate.Reason.SMALL_ZONE_DISRUPTED;
        };
    double nodesPerSecond =
        switch (reason) {
          case ZONE_WORKS, ZONE_DOWN -> settings.nodesPerSecond();
          case LARGE_ZONE_DISRUPTED -> settings.secondaryNodesPerSecond();
          case SMALL_ZONE_DISRUPTED, ALL_ZONES_DOWN -> 0;
        };
    return new ZoneRate(zone, state, reason, nodesPerSecond);
  }

  private static ZoneState state(ZoneHealth zone, ZoneSettings settings) {
    if (zone.unhealthy() == zone.nodes()) {
      return ZoneState.FULL_DISRUPTION;
    }
    double share = (double) zone.unhealthy() / zone.nodes();
    return zone.unhealthy() > MOST_UNHEALTHY_IN_A_WORKING_ZONE
            && share >= settings.unhealthyThreshold()
        ? ZoneState.PARTIAL_DISRUPTION
        : ZoneState.NORMAL;
  }

  /** The rate of a zone; empty if none of its nodes counts. */
  public Optional<ZoneRate> of(Zone zone) {
    return rates.stream().filter(r -> r.health().zone().equals(zone)).findFirst();
  }

  /** What has changed since these rates. */
  public Change since(ZoneRates before) {
    if (allDown == before.allDown) {
      return Change.NONE;
    }
    return allDown ? Change.ALL_WENT_DOWN : Change.SOME_CAME_BACK;
  }
}
