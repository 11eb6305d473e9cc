package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import dev.berth.scheduler.cluster.affinity.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Affinity as the documentation describes it, by looking at every pod each time. */
final class SlowAffinity {
  private record Placed(PodInfo pod, NodeInfo node, PodAffinity affinity) {}

  private final Cluster cluster;
  private final PodInfo pod;
  private final PodAffinity affinity;
  private final List<NodeInfo> nodes = new ArrayList<>();
  private final List<Placed> placed = new ArrayList<>();

  SlowAffinity(Cluster cluster, PodInfo pod) {
    this.cluster = cluster;
    this.pod = pod;
    this.affinity = cluster.affinityTerms().of(pod);
    for (int node = 0; node < cluster.limit(); node++) {
      if (cluster.exists(node)) {
        nodes.add(cluster.node(node));
        for (PodInfo there : cluster.pods(node)) {
          placed.add(new Placed(there, cluster.node(node), cluster.affinityTerms().of(there)));
        }
      }
    }
  }

  private static boolean near(NodeInfo a, NodeInfo b, AffinityTerm term) {
    String domain = a.labels().text(term.topologyKey());
    return domain != null && domain.equals(b.labels().text(term.topologyKey()));
  }

  private boolean isAbout(AffinityTerm term, PodInfo other) {
    return term.pods().matches(other, cluster.namespaces());
  }

  Set<String> allowed() {
    Set<String> allowed = new TreeSet<>();
    for (NodeInfo node : nodes) {
      if (affinityAllows(node) && antiAffinityAllows(node) && othersAllow(node)) {
        allowed.add(node.name());
      }
    }
    return allowed;
  }

  private boolean affinityAllows(NodeInfo node) {
    List<AffinityTerm> terms = affinity.terms(Kind.REQUIRED_AFFINITY);
    if (terms.stream().anyMatch(term -> !node.labels().has(term.topologyKey()))) {
      return false;
    }
    List<Placed> meant =
        placed.stream()
            .filter(p -> terms.stream().allMatch(term -> isAbout(term, p.pod)))
            .filter(p -> terms.stream().anyMatch(t -> p.node.labels().has(t.topologyKey())))
            .toList();
    return terms.stream().allMatch(t -> meant.stream().anyMatch(p -> near(p.node, node, t)))
        || (meant.isEmpty() && terms.stream().allMatch(term -> isAbout(term, pod)));
  }

  private boolean antiAffinityAllows(NodeInfo node) {
    return affinity.terms(Kind.REQUIRED_ANTI_AFFINITY).stream()
        .noneMatch(term ->
            placed.stream().anyMatch(p -> isAbout(term, p.pod) && near(p.node, node, term)));
  }

  private boolean othersAllow(NodeInfo node) {
    return placed.stream()
        .noneMatch(p ->
            p.affinity.terms(Kind.REQUIRED_ANTI_AFFINITY).stream()
                .anyMatch(term -> isAbout(term, pod) && near(p.node, node, term)));
  }

  /** Scores where every node is feasible. */
  Map<String, Long> scores() {
    Map<String, Long> raw = new HashMap<>();
    for (NodeInfo node : nodes) {
      long sum = 0;
      for (Placed other : placed) {
        sum += preference(affinity, other.pod, node, other.node, false);
        sum += preference(other.affinity, pod, other.node, node, true);
      }
      raw.put(node.name(), sum);
    }
    long max = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
    long min = raw.values().stream().mapToLong(Long::longValue).min().orElse(0);
    Map<String, Long> scores = new TreeMap<>();
    raw.forEach((name, sum) ->
        scores.put(name, max == min ? 0 : (long) (100 * ((sum - min) / (double) (max - min)))));
    return scores;
  }

  private long preference(
      PodAffinity of, PodInfo about, NodeInfo node, NodeInfo other, boolean required) {
    long sum = 0;
    for (AffinityTerm term : of.terms()) {
      if (isAbout(term, about) && near(node, other, term)) {
        sum +=
            switch (term.kind()) {
              case PREFERRED_AFFINITY -> term.weight();
              case PREFERRED_ANTI_AFFINITY -> -term.weight();
              case REQUIRED_AFFINITY -> required ? 1 : 0;
              case REQUIRED_ANTI_AFFINITY -> 0;
            };
      }
    }
    return sum;
  }
}
