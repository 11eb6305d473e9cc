package dev.berth.policy.disruption;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many pods a budget expects and how many of them must be healthy.
 *
 * <ul>
 *   <li>{@code maxUnavailable}: of the pods expected, all but that many must be healthy; never
 *       fewer than none.
 *   <li>{@code minAvailable} as a number: that many must be healthy, and the pods expected are
 *       those that there are.
 *   <li>{@code minAvailable} as a percentage: that share of the pods expected.
 *   <li>Percentages are rounded up in both, so a budget may turn out stricter by one for what must
 *       be available and laxer by one for what may be missing, as upstream has it.
 * </ul>
 *
 * <p>Except in the second case, the pods expected are the replicas of all the controllers that the
 * pods have, each controller counted once; pods without a controller count for nothing.
 */
sealed interface BudgetArithmetic {

  /** The counts, and the pods that could not be counted because nothing manages them. */
  record Expected(long pods, long healthy, List<String> unmanaged) implements BudgetArithmetic {}

  /** It is not known how many pods are expected. */
  record Unknown(String why) implements BudgetArithmetic {}

  /** Whether the scales of the pods' controllers matter to a budget. */
  static boolean needsScales(PodDisruptionBudgetView budget) {
    return budget.maxUnavailable() != null
        || budget.minAvailable() instanceof IntOrPercent.Percent
        || budget.minAvailable() instanceof IntOrPercent.Malformed;
  }

  /**
   * Counts.
   *
   * @param scales of the pods' controllers, by the UID that the pods name
   */
  static BudgetArithmetic of(
      PodDisruptionBudgetView budget, List<CountedPod> pods, Map<String, ControllerScale> scales) {
    IntOrPercent max = budget.maxUnavailable();
    IntOrPercent min = budget.minAvailable();
    if (max != null) {
      return ofReplicas(pods, scales, max, true);
    }
    return switch (min) {
      case null -> new Expected(0, 0, List.of());
      case IntOrPercent.Count(long count) -> new Expected(pods.size(), count, List.of());
      case IntOrPercent share -> ofReplicas(pods, scales, share, false);
    };
  }

  private static BudgetArithmetic ofReplicas(
      List<CountedPod> pods,
      Map<String, ControllerScale> scales,
      IntOrPercent given,
      boolean mayBeMissing) {
    List<String> unmanaged = new ArrayList<>();
    Map<String, Long> counted = new TreeMap<>();
    for (CountedPod pod : pods) {
      OwnerReference controller = pod.controller();
      if (controller == null) {
        unmanaged.add(pod.name());
        continue;
      }
      switch (scales.get(controller.uid())) {
        case null -> {
          return new Unknown("found no controllers for pod \"" + pod.name() + "\"");
        }
        case ControllerScale.Unknown(String why) -> {
          return new Unknown(why);
        }
        case ControllerScale.Known(String uid, long replicas) -> counted.put(uid, replicas);
      }
    }
    long expected = counted.values().stream().mapToLong(Long::longValue).sum();
    long share;
    switch (given) {
      case IntOrPercent.Count(long count) -> share = count;
      case IntOrPercent.Percent(long percent) -> share = Math.ceilDiv(percent * expected, 100L);
      case IntOrPercent.Malformed(String text) -> {
        return new Unknown("invalid value for IntOrString: \"" + text + "\" is not a percentage");
      }
    }
    return new Expected(
        expected, mayBeMissing ? Math.max(0, expected - share) : share, List.copyOf(unmanaged));
  }
}
