package dev.berth.policy.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether something is let in, and which NUMA nodes it is to be given its resources from.
 *
 * @param hint without nodes if any will do
 */
public record TopologyDecision(TopologyHint hint, boolean isAdmitted) {

  /**
   * What one part of a node says of the resources that it gives.
   *
   * @param resources the hints of each; an empty value for one that has no preference, an empty
   *     list for one that cannot be had; no resources at all for no preference
   */
  public record Hints(Map<String, Optional<List<TopologyHint>>> resources) {
    public static final Hints NONE = new Hints(Map.of());

    public Hints {
      resources = Map.copyOf(resources);
    }

    public static Hints of(String resource, List<TopologyHint> hints) {
      return new Hints(Map.of(resource, Optional.of(hints)));
    }
  }

  /**
   * Decides.
   *
   * @param policy not {@code none}, which decides nothing
   */
  public static TopologyDecision decide(
      TopologyPolicy policy, TopologyOptions options, NumaNodes nodes, List<Hints> providers) {
    List<List<TopologyHint>> resources = new ArrayList<>();
    providers.forEach(hints -> addTo(resources, hints));
    boolean single = policy == TopologyPolicy.SINGLE_NUMA_NODE;
    if (single) {
      resources.replaceAll(TopologyDecision::onOneNode);
    }
    Comparator<NumaMask> fitter =
        options.prefersClosest() && !single ? nodes.closest() : Comparator.naturalOrder();
    TopologyHint best = new HintMerge(nodes, fitter).merge(resources);
    if (single && best.affinity().equals(Optional.of(nodes.all()))) {
      best = best.isPreferred() ? TopologyHint.ANYWHERE : TopologyHint.NOWHERE;
    }
    return new TopologyDecision(best, policy == TopologyPolicy.BEST_EFFORT || best.isPreferred());
  }

  private static void addTo(List<List<TopologyHint>> resources, Hints provider) {
    if (provider.resources.isEmpty()) {
      resources.add(List.of(TopologyHint.ANYWHERE));
    }
    provider.resources.forEach((_, hints) -> {
      if (hints.isEmpty()) {
        resources.add(List.of(TopologyHint.ANYWHERE));
      } else {
        resources.add(hints.get().isEmpty() ? List.of(TopologyHint.NOWHERE) : hints.get());
      }
    });
  }

  private static List<TopologyHint> onOneNode(List<TopologyHint> hints) {
    return hints.stream()
        .filter(TopologyHint::isPreferred)
        .filter(hint -> hint.affinity().map(mask -> mask.count() == 1).orElse(true))
        .toList();
  }
}
