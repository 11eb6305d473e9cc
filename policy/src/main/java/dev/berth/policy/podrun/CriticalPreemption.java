package dev.berth.policy.podrun;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pod.QosClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which pods make way for a critical one that its node has no room for.
 *
 * <ol>
 *   <li>As few as possible that are Guaranteed, if all others went; then as few as possible that
 *       are Burstable, if all that are BestEffort went; then as many as are needed of these.
 *   <li>Of those alike, first whoever frees most of what is missing, each resource counted as a
 *       part of what is missing of it; of these, whoever requests least memory, then least CPU.
 * </ol>
 */
public final class CriticalPreemption {
  private CriticalPreemption() {}

  /** A pod that may have to go. */
  public record Candidate(String uid, QosClass qos, ResourceList requests) {
    double amount(String resource) {
      return resource.equals(ResourceList.PODS) ? 1 : requests.get(resource).amount().doubleValue();
    }
  }

  /** The uids of those that go; empty if the node would not have room without all of them. */
  public static Optional<List<String>> victims(
      Map<String, Quantity> missing, List<Candidate> candidates) {
    Map<String, Double> needed = new LinkedHashMap<>();
    missing.forEach((resource, amount) -> needed.put(resource, amount.amount().doubleValue()));
    List<Candidate> bestEffort = of(QosClass.BEST_EFFORT, candidates);
    List<Candidate> burstable = of(QosClass.BURSTABLE, candidates);
    List<Candidate> guaranteed = of(QosClass.GUARANTEED, candidates);
    if (!without(needed, candidates).isEmpty()) {
      return Optional.empty();
    }
    List<Candidate> victims =
        new ArrayList<>(choose(guaranteed, without(without(needed, bestEffort), burstable)));
    victims.addAll(choose(burstable, without(without(needed, bestEffort), victims)));
    victims.addAll(choose(bestEffort, without(needed, victims)));
    return Optional.of(victims.stream().map(Candidate::uid).toList());
  }

  private static List<Candidate> of(QosClass qos, List<Candidate> candidates) {
    return candidates.stream().filter(candidate -> candidate.qos == qos).toList();
  }

  /** What is still missing if some pods go. */
  private static Map<String, Double> without(Map<String, Double> missing, List<Candidate> pods) {
    Map<String, Double> left = new LinkedHashMap<>();
    missing.forEach((resource, amount) -> {
      double rest = amount - pods.stream().mapToDouble(p -> p.amount(resource)).sum();
      if (rest > 0) {
        left.put(resource, rest);
      }
    });
    return left;
  }

  private static List<Candidate> choose(List<Candidate> from, Map<String, Double> missing) {
    List<Candidate> left = new ArrayList<>(from);
    List<Candidate> chosen = new ArrayList<>();
    Map<String, Double> needed = missing;
    while (!needed.isEmpty() && !left.isEmpty()) {
      Map<String, Double> now = needed;
      Candidate best =
          left.stream()
              .min(
                  Comparator.<Candidate>comparingDouble(pod -> distance(pod, now))
                      .thenComparingDouble(pod -> pod.amount(ResourceList.MEMORY))
                      .thenComparingDouble(pod -> pod.amount(ResourceList.CPU)))
              .orElseThrow();
      left.remove(best);
      chosen.add(best);
      needed = without(needed, List.of(best));
    }
    return chosen;
  }

  /** How far a pod is from freeing all that is missing. */
  private static double distance(Candidate pod, Map<String, Double> missing) {
    double distance = 0;
    for (Map.Entry<String, Double> each : missing.entrySet()) {
      double rest = each.getValue() - pod.amount(each.getKey());
      if (rest > 0) {
        distance += Math.pow(rest / each.getValue(), 2);
      }
    }
    return distance;
  }
}
