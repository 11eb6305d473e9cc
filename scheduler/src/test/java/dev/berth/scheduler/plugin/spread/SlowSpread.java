package dev.berth.scheduler.plugin.spread;

import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Spreading as the documentation describes it, by looking at every pod each time. */
final class SlowSpread {
  private final Cluster cluster;
  private final PodInfo pod;
  private final List<NodeInfo> nodes = new ArrayList<>();

  SlowSpread(Cluster cluster, PodInfo pod) {
    this.cluster = cluster;
    this.pod = pod;
    for (int node = 0; node < cluster.limit(); node++) {
      if (cluster.exists(node)) {
        nodes.add(cluster.node(node));
      }
    }
  }

  private List<SpreadConstraint> constraints(boolean required) {
    return SpreadConstraint.read(
            pod.tree().object("spec").array("topologySpreadConstraints"), pod.labels())
        .stream()
        .filter(constraint -> constraint.required() == required)
        .toList();
  }

  private static boolean hasAll(NodeInfo node, List<SpreadConstraint> constraints) {
    return constraints.stream().allMatch(c -> node.labels().has(c.topologyKey()));
  }

  private boolean included(NodeInfo node, SpreadConstraint constraint) {
    return (!constraint.honorsAffinity() || NodeSelection.allows(pod.view().spec(), node.view()))
        && (!constraint.honorsTaints()
            || RemainingTaints.of(
                    node.view().taints(), pod.view().spec().tolerations(), TolerationRules.STANDARD)
                .refusal()
                .isEmpty());
  }

  private int matching(NodeInfo node, SpreadConstraint constraint) {
    int count = 0;
    for (PodInfo other : cluster.pods(node.index())) {
      if (!constraint.selector().selectsEverything()
          && !other.view().terminating()
          && other.name().namespace().equals(pod.name().namespace())
          && constraint.selector().matches(other.labels())) {
        count++;
      }
    }
    return count;
  }

  private Map<String, Integer> domains(
      SpreadConstraint constraint, List<SpreadConstraint> constraints) {
    Map<String, Integer> domains = new HashMap<>();
    for (NodeInfo node : nodes) {
      if (hasAll(node, constraints) && included(node, constraint)) {
        domains.merge(
            node.labels().text(constraint.topologyKey(), ""),
            matching(node, constraint),
            Integer::sum);
      }
    }
    return domains;
  }

  Set<String> allowed() {
    List<SpreadConstraint> constraints = constraints(true);
    Set<String> allowed = new TreeSet<>();
    for (NodeInfo node : nodes) {
      if (constraints.stream().allMatch(c -> isWithinSkew(node, c, constraints))) {
        allowed.add(node.name());
      }
    }
    return allowed;
  }

  private boolean isWithinSkew(
      NodeInfo node, SpreadConstraint constraint, List<SpreadConstraint> constraints) {
    String domain = node.labels().text(constraint.topologyKey());
    if (domain == null) {
      return false;
    }
    Map<String, Integer> domains = domains(constraint, constraints);
    int fewest =
        domains.size() < constraint.minDomains()
            ? 0
            : domains.values().stream().mapToInt(Integer::intValue).min().orElse(0);
    int self = constraint.selector().matches(pod.labels()) ? 1 : 0;
    return domains.getOrDefault(domain, 0) + self - fewest <= constraint.maxSkew();
  }

  /** Scores where every node is feasible; empty if there is nothing to score. */
  Map<String, Long> scores() {
    List<SpreadConstraint> constraints = constraints(false);
    Map<String, Long> scores = new TreeMap<>();
    if (constraints.isEmpty()) {
      return scores;
    }
    List<NodeInfo> scored = nodes.stream().filter(n -> hasAll(n, constraints)).toList();
    Map<String, Long> raw = new HashMap<>();
    for (NodeInfo node : scored) {
      double sum = 0;
      for (SpreadConstraint constraint : constraints) {
        sum += part(node, constraint, constraints, scored);
      }
      raw.put(node.name(), Math.round(sum));
    }
    long max = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
    long min = raw.values().stream().mapToLong(Long::longValue).min().orElse(0);
    for (NodeInfo node : nodes) {
      Long score = raw.get(node.name());
      scores.put(node.name(), score == null ? 0 : max == 0 ? 100 : 100 * (max + min - score) / max);
    }
    return scores;
  }

  private double part(
      NodeInfo node,
      SpreadConstraint constraint,
      List<SpreadConstraint> constraints,
      List<NodeInfo> scored) {
    int size;
    int count;
    if (constraint.isByHost()) {
      size = scored.size();
      count = matching(node, constraint);
    } else {
      Set<String> present = new HashSet<>();
      scored.forEach(n -> present.add(n.labels().text(constraint.topologyKey(), "")));
      size = present.size();
      count =
          domains(constraint, constraints)
              .getOrDefault(node.labels().text(constraint.topologyKey(), ""), 0);
    }
    return count * Math.log(size + 2) + constraint.maxSkew() - 1;
  }
}
