package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.scheduler.KnownCluster;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * W3, of the scheduler, which keeps no objects but what it has made of them: once nothing changes
 * any more, the nodes that it knows are those of the store as far as placing pods depends on them;
 * on each are the pods that are bound to it and have not ended; what they request is what it has
 * added up; and what waits is what has no node.
 */
public final class SchedulerEqualsStore {
  private SchedulerEqualsStore() {}

  /** What is different. */
  public static Optional<String> compare(KnownCluster known, ClusterState state) {
    SortedMap<String, KnownCluster.Node> there = new TreeMap<>();
    state
        .all(ClusterState.NODES)
        .forEach(tree -> {
          NodeView view = NodeView.read(tree);
          there.put(view.name(), new KnownCluster.Node(view, new HashSet<>(), new TreeMap<>()));
        });
    Set<String> waiting = new HashSet<>();
    for (JsonObject tree : state.all(ClusterState.PODS)) {
      PodTree pod = new PodTree(tree);
      KnownCluster.Node node = there.get(pod.nodeName());
      if (pod.phase().finished()) {
        continue;
      }
      if (node != null) {
        node.pods().add(pod.uid());
        add(EffectiveResources.requests(pod.readSpec()), node.requested());
      } else if (!pod.isBound() && !pod.terminating()) {
        waiting.add(pod.uid());
      }
    }
    return nodes(known.nodes(), there)
        .or(() -> differSets("the pods that wait", known.waiting(), waiting));
  }

  private static Optional<String> nodes(
      SortedMap<String, KnownCluster.Node> known, SortedMap<String, KnownCluster.Node> there) {
    return differSets("the nodes", known.keySet(), there.keySet())
        .or(() ->
            there.entrySet().stream()
                .flatMap(entry ->
                    node(
                        entry.getKey(),
                        Objects.requireNonNull(known.get(entry.getKey())),
                        entry.getValue())
                        .stream())
                .findFirst());
  }

  private static Optional<String> node(
      String name, KnownCluster.Node known, KnownCluster.Node there) {
    NodeView one = known.view();
    NodeView other = there.view();
    return differ("labels of " + name, one.labels(), other.labels())
        .or(() -> differ("taints of " + name, one.taints(), other.taints()))
        .or(() -> differ("cordon of " + name, one.unschedulable(), other.unschedulable()))
        .or(() -> differ("allocatable of " + name, one.allocatable(), other.allocatable()))
        .or(() -> differSets("the pods on " + name, known.pods(), there.pods()))
        .or(() -> differ("requests on " + name, known.requested(), there.requested()));
  }

  private static Optional<String> differSets(String what, Set<String> known, Set<String> there) {
    Set<String> surplus = new TreeSet<>(known);
    surplus.removeAll(there);
    Set<String> missing = new TreeSet<>(there);
    missing.removeAll(known);
    return surplus.isEmpty() && missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the scheduler takes for %s also %s, which the store has not, and lacks %s"
                .formatted(what, surplus, missing));
  }

  private static Optional<String> differ(String what, Object known, Object there) {
    return known.equals(there)
        ? Optional.empty()
        : Optional.of(
            "the scheduler knows of the %s: %s, and the store has %s"
                .formatted(what, known, there));
  }

  /** As the scheduler counts: cpu in thousandths, everything else in its unit, and pods. */
  private static void add(ResourceList requests, Map<String, Long> sum) {
    for (Map.Entry<String, Quantity> one : requests.amounts().entrySet()) {
      long amount =
          one.getKey().equals(ResourceList.CPU)
              ? one.getValue().milliValue()
              : one.getValue().value();
      if (amount != 0) {
        sum.merge(one.getKey(), amount, Long::sum);
      }
    }
    sum.merge(ResourceList.PODS, 1L, Long::sum);
  }
}
