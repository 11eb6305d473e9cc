package dev.berth.policy.pressure;

import dev.berth.model.quantity.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which thresholds are crossed, since when, and which conditions a node reports for it.
 *
 * <ol>
 *   <li>A threshold is crossed when less than its value is left. Once it has had consequences, it
 *       stays crossed until its minimum reclaim is left beyond its value.
 *   <li>It has consequences at once if it is hard, and when its grace period has gone by since it
 *       was first crossed, without a break, if it is soft.
 *   <li>A condition is reported at once, also in the grace period of a soft threshold, and until
 *       the transition period has gone by since a threshold of it was last crossed, so that a node
 *       does not go back and forth.
 * </ol>
 *
 * <p>Times are of a clock that nobody sets.
 *
 * @param crossedSince when a threshold was first seen to be crossed
 * @param active those that have consequences
 * @param lastSeen when a condition last held
 * @param conditions what the node reports
 */
public record PressureState(
    Map<Threshold, Instant> crossedSince,
    List<Threshold> active,
    Map<String, Instant> lastSeen,
    SortedSet<String> conditions) {
  public static final PressureState NONE =
      new PressureState(Map.of(), List.of(), Map.of(), new TreeSet<>());

  public PressureState {
    crossedSince = new LinkedHashMap<>(crossedSince);
    active = List.copyOf(active);
    lastSeen = new TreeMap<>(lastSeen);
    conditions = new TreeSet<>(conditions);
  }

  /**
   * The state after another look at the node.
   *
   * @param observations what is not observed is not scarce
   * @param transitionPeriod for how long a condition is reported after its cause
   */
  public PressureState observe(
      List<Threshold> thresholds,
      Map<Signal, Observation> observations,
      Duration transitionPeriod,
      Instant now) {
    Set<Threshold> crossed = new LinkedHashSet<>(crossed(thresholds, observations, false));
    crossed.addAll(crossed(active, observations, true));
    Map<Threshold, Instant> since = new LinkedHashMap<>();
    crossed.forEach(each -> since.put(each, crossedSince.getOrDefault(each, now)));
    Map<String, Instant> seen = new TreeMap<>(lastSeen);
    crossed.forEach(each -> seen.put(each.signal().condition(), now));
    SortedSet<String> reported = new TreeSet<>();
    seen.forEach((condition, at) -> {
      if (Duration.between(at, now).compareTo(transitionPeriod) < 0) {
        reported.add(condition);
      }
    });
    List<Threshold> consequences = new ArrayList<>();
    since.forEach((each, at) -> {
      if (Duration.between(at, now).compareTo(each.grace()) >= 0) {
        consequences.add(each);
      }
    });
    return new PressureState(since, consequences, seen, reported);
  }

  /**
   * Those thresholds that are crossed.
   *
   * @param withReclaim whether the minimum reclaim has to be there, too
   */
  public static List<Threshold> crossed(
      List<Threshold> thresholds, Map<Signal, Observation> observations, boolean withReclaim) {
    List<Threshold> crossed = new ArrayList<>();
    for (Threshold each : thresholds) {
      Observation seen = observations.get(each.signal());
      if (seen == null) {
        continue;
      }
      Quantity least = each.value().of(seen.capacity());
      if (withReclaim && each.minimumReclaim().isPresent()) {
        least = least.plus(each.minimumReclaim().get().of(seen.capacity()));
      }
      if (least.compareTo(seen.available()) > 0) {
        crossed.add(each);
      }
    }
    return crossed;
  }

  /** What is done about first: memory before all else. */
  public List<Threshold> inOrder() {
    List<Threshold> ordered = new ArrayList<>();
    active.stream().filter(each -> each.signal().isMemory()).forEach(ordered::add);
    active.stream().filter(each -> !each.signal().isMemory()).forEach(ordered::add);
    return ordered;
  }
}
