package dev.berth.policy.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where something could be had from.
 *
 * @param affinity empty if it does not matter, or cannot be said
 * @param isPreferred whether no narrower set of nodes could ever do
 */
public record TopologyHint(Optional<NumaMask> affinity, boolean isPreferred) {
  /** What has no preference. */
  public static final TopologyHint ANYWHERE = new TopologyHint(Optional.empty(), true);

  /** What cannot be had anywhere. */
  public static final TopologyHint NOWHERE = new TopologyHint(Optional.empty(), false);

  public static TopologyHint of(NumaMask nodes, boolean isPreferred) {
    return new TopologyHint(Optional.of(nodes), isPreferred);
  }

  /** A hint for each of some sets of nodes. */
  public static List<TopologyHint> all(List<NumaMask> nodes, Predicate<NumaMask> isPreferred) {
    List<TopologyHint> hints = new ArrayList<>(nodes.size());
    nodes.forEach(each -> hints.add(of(each, isPreferred.test(each))));
    return List.copyOf(hints);
  }
}
