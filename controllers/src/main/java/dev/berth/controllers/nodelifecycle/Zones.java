package dev.berth.controllers.nodelifecycle;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.Zone;
import dev.berth.policy.node.NodeObservation;
import dev.berth.policy.node.ZoneHealth;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.node.ZoneRates;
import dev.berth.policy.node.ZoneTurn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * All zones, kept up to date as nodes change; the rates are computed anew when somebody needs them
 * and something has changed. Lives on the controller's loop.
 */
final class Zones {
  private final NodeLifecycleSettings settings;
  private final KnownHeartbeats heartbeats;

  /** Told of every zone whose state, rate or reason changed. */
  private final BiConsumer<ZoneQueue, ZoneRate> changed;

  /** In a fixed order, so that a run repeats exactly. */
  private final SortedMap<Zone, ZoneQueue> zones = new TreeMap<>();

  private ZoneRates rates = new ZoneRates(false, List.of());
  private boolean stale = true;

  Zones(
      NodeLifecycleSettings settings,
      KnownHeartbeats heartbeats,
      BiConsumer<ZoneQueue, ZoneRate> changed) {
    this.settings = settings;
    this.heartbeats = heartbeats;
    this.changed = changed;
  }

  Collection<ZoneQueue> all() {
    return zones.values();
  }

  ZoneRates rates() {
    return rates;
  }

  /**
   * Takes note of what a node is now.
   *
   * @param unhealthy whether it is not ready, or was just found to be lost
   */
  void put(NodeRecord node, NodeView view, boolean unhealthy) {
    boolean counts = ZoneHealth.counts(view);
    ZoneQueue now = zones.computeIfAbsent(view.zone(), ZoneQueue::new);
    ZoneQueue before = node.zone;
    if (before == now && node.counted == counts && node.unhealthy == unhealthy) {
      return;
    }
    boolean waited = before == now && now.waiting.contains(node);
    remove(node);
    node.counted = counts;
    node.unhealthy = unhealthy;
    node.zone = now;
    now.add(node);
    if (waited) {
      now.waiting.add(node);
    }
    stale = true;
  }

  void remove(NodeRecord node) {
    if (node.zone != null) {
      node.zone.remove(node);
      node.zone = null;
      stale = true;
    }
  }

  /** Computes the rates anew if need be, and says what that means for the whole. */
  ZoneRates.Change refresh(Instant now) {
    if (!stale) {
      return ZoneRates.Change.NONE;
    }
    stale = false;
    ZoneRates before = rates;
    List<ZoneHealth> healths = new ArrayList<>();
    zones.values().forEach(zone -> zone.health().ifPresent(healths::add));
    rates = ZoneRates.of(healths, settings.zones());
    zones.values().stream().filter(z -> z.health().isEmpty()).forEach(z -> z.rate = null);
    for (ZoneRate rate : rates.rates()) {
      ZoneQueue zone = Objects.requireNonNull(zones.get(rate.health().zone()));
      ZoneRate last = zone.rate;
      zone.rate = rate;
      if (rate.isNewsAfter(last)) {
        changed.accept(zone, rate);
      }
    }
    zones.values().removeIf(zone -> isForgotten(zone, now));
    return rates.since(before);
  }

  /** A zone without nodes is kept only until its pace no longer matters. */
  private boolean isForgotten(ZoneQueue zone, Instant now) {
    if (!zone.members.isEmpty() || zone.tainting || zone.pace.holdsBack(settings.zones(), now)) {
      return false;
    }
    zone.cancelTimer();
    return true;
  }

  /** When the next node of a zone may be emptied. */
  ZoneTurn turn(ZoneQueue zone, Instant now) {
    return ZoneTurn.of(
        new ZoneTurn.Candidate(zone.zone, zone.pace, rates, settings.zones()),
        () -> suspected(now),
        now);
  }

  /** The health of all zones if those were unhealthy that have been silent for long. */
  private List<ZoneHealth> suspected(Instant now) {
    List<ZoneHealth> healths = new ArrayList<>();
    for (ZoneQueue zone : zones.values()) {
      zone.health(node -> isSuspect(node, now)).ifPresent(healths::add);
    }
    return healths;
  }

  private boolean isSuspect(NodeRecord node, Instant now) {
    node.hear(heartbeats.last(node.name, now));
    NodeObservation seen = node.observation;
    return seen != null && seen.isSuspect(settings.health(), node.leaseDuration, now);
  }
}
