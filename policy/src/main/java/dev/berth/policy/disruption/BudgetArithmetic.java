package dev.berth.policy.disruption;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.core.PodDisruptionBudgetView;
import dev.berth.model.core.PodView;
import dev.berth.model.meta.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many pods a budget expects and how many of them must be healthy.
 *
 * <ul>
 *   <li>{@code maxUnavailable}: of the pods expected, all but so many must be healthy; never fewer
 *       than none.
 *   <li>{@code minAvailable} as a number: so many must be healthy, and the pods expected are those
 *       that there are.
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

  /** It cannot be told how many pods are expected. */
  record Unknown(String why) implements BudgetArithmetic {}

  /**
   * Counts.
   *
   * @param replicas the number of replicas of each controller, by its UID
   */
  static BudgetArithmetic of(
      PodDisruptionBudgetView budget, List<PodView> pods, Map<String, Long> replicas) {
    IntOrPercent max = budget.maxUnavailable();
    IntOrPercent min = budget.minAvailable();
    if (max != null) {
      return ofReplicas(pods, replicas, max, true);
    }
    return switch (min) {
      case null -> new Expected(0, 0, List.of());
      case IntOrPercent.Count(long count) -> new Expected(pods.size(), count, List.of());
      case IntOrPercent share -> ofReplicas(pods, replicas, share, false);
    };
  }

  private static BudgetArithmetic ofReplicas(
      List<PodView> pods, Map<String, Long> replicas, IntOrPercent given, boolean mayBeMissing) {
    List<String> unmanaged = new ArrayList<>();
    Map<String, Long> counted = new TreeMap<>();
    for (PodView pod : pods) {
      OwnerReference controller = pod.controller();
      if (controller == null) {
        unmanaged.add(pod.name());
        continue;
      }
      Long scale = replicas.get(controller.uid());
      if (scale == null) {
        return new Unknown("found no controllers for pod \"" + pod.name() + "\"");
      }
      counted.put(controller.uid(), scale);
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
