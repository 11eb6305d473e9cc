package dev.berth.policy.pressure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pod that a node evicts to get back what it is short of: one at a time, since each may be
 * enough.
 *
 * @param threshold because of which it goes
 * @param grace what its containers get: a second if the threshold is hard, else its own termination
 *     grace period, but no more than the node allows
 */
public record PressureEviction(
    PodConsumption pod, Threshold threshold, EvictionMessage message, Duration grace) {
  /** Longer than nothing, since a pod that is deleted without grace counts as gone at once. */
  public static final Duration IMMEDIATE = Duration.ofSeconds(1);

  /** What is decided by. */
  public record Node(
      PressureState state,
      Map<Signal, Observation> observations,
      List<PodConsumption> pods,
      boolean hasImageFilesystem,
      Duration longestGrace) {
    public Node {
      pods = List.copyOf(pods);
    }
  }

  /** Empty if nothing is short, or only pods are left that are never evicted. */
  public static Optional<PressureEviction> decide(Node node) {
    List<Threshold> ordered = node.state().inOrder();
    if (ordered.isEmpty()) {
      return Optional.empty();
    }
    Threshold first = ordered.getFirst();
    return EvictionOrder.of(node.pods(), first.signal(), node.hasImageFilesystem()).stream()
        .filter(pod -> !pod.isCritical())
        .findFirst()
        .map(pod ->
            new PressureEviction(
                pod,
                first,
                EvictionMessage.of(pod, first.signal().resource(), ordered, node.observations()),
                grace(pod, first, node.longestGrace())));
  }

  private static Duration grace(PodConsumption pod, Threshold threshold, Duration longest) {
    if (threshold.isHard()) {
      return IMMEDIATE;
    }
    Duration own = Duration.ofSeconds(pod.terminationGraceSeconds());
    return own.compareTo(longest) < 0 ? own : longest;
  }
}
