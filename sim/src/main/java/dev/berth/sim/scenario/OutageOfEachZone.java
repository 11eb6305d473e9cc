package dev.berth.sim.scenario;

import dev.berth.sim.snapshot.SnapshotCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;

/**
 * What is rehearsed when nobody says what: each zone is lost for half an hour, one after the other,
 * with half an hour between them. Of a cluster without zones, a tenth of the nodes is lost.
 */
public final class OutageOfEachZone {
  private static final Duration CALM = Duration.ofMinutes(5);
  private static final Duration OUTAGE = Duration.ofMinutes(30);
  private static final Duration TURN = Duration.ofHours(1);
  private static final double SHARE_PERCENT = 10;

  private OutageOfEachZone() {}

  public static Scenario of(SnapshotCluster snapshot) {
    SortedSet<String> zones = snapshot.zones();
    List<TimelineEntry> timeline = new ArrayList<>();
    if (zones.size() < 2) {
      timeline.add(outage(CALM, choice(Set.of(), OptionalDouble.of(SHARE_PERCENT))));
    } else {
      for (String zone : zones) {
        Duration at = CALM.plus(TURN.multipliedBy(timeline.size()));
        timeline.add(outage(at, choice(Set.of(zone), OptionalDouble.empty())));
      }
    }
    String what =
        zones.size() < 2
            ? "A tenth of the nodes is lost for half an hour."
            : "Each of the zones %s is lost for half an hour, one after the other."
                .formatted(String.join(", ", zones));
    return new Scenario(
        "rehearsal",
        what,
        CALM.plus(TURN.multipliedBy(timeline.size())),
        1,
        Optional.of(snapshot),
        List.of(),
        List.of(),
        List.of(),
        snapshot.settings(),
        timeline,
        List.of());
  }

  private static NodeChoice choice(Set<String> zones, OptionalDouble percent) {
    return new NodeChoice(
        Set.of(), zones, Set.of(), Optional.empty(), OptionalInt.empty(), percent);
  }

  private static TimelineEntry outage(Duration at, NodeChoice nodes) {
    return new TimelineEntry(
        at,
        Optional.empty(),
        Optional.empty(),
        1,
        new ScenarioAction.Kill(nodes, Optional.of(OUTAGE)));
  }
}
