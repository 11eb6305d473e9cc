package dev.berth.scheduler.plugin.spread;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.PodCount;
import dev.berth.scheduler.cluster.affinity.PodSelection;
import dev.berth.scheduler.cluster.node.TopologyColumn;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many pods each domain has, for the constraints of one kind of pod. Made by one walk over the
 * nodes, then kept: bringing it up to date costs as much as changed since.
 *
 * <p>A node counts for a constraint if it has the labels of all of the pod's constraints (where
 * that is asked for) and if the constraint's policies do not leave it out.
 */
final class SpreadCounts {

  /**
   * What tells one kind of pod from another here.
   *
   * @param allTopologies whether a node must have the labels of all constraints to count
   * @param tolerations none if no constraint looks at taints
   */
  record Key(
      String namespace,
      List<SpreadConstraint> constraints,
      boolean allTopologies,
      JsonObject nodeSelector,
      @Nullable NodeAffinity nodeAffinity,
      List<Toleration> tolerations) {

    static Key of(
        String namespace,
        List<SpreadConstraint> constraints,
        boolean allTopologies,
        PodSpecView spec) {
      boolean taints = constraints.stream().anyMatch(SpreadConstraint::honorsTaints);
      boolean affinity = constraints.stream().anyMatch(SpreadConstraint::honorsAffinity);
      return new Key(
          namespace,
          constraints,
          allTopologies,
          affinity ? spec.nodeSelector() : JsonObject.EMPTY,
          affinity ? spec.nodeAffinity() : null,
          taints ? spec.tolerations() : List.of());
    }
  }

  private final Cluster cluster;
  private final Key key;
  private final PodSpecView spec;
  private final TolerationRules rules;
  private final TopologyColumn[] columns;
  private final boolean looksAtNodes;

  /** The pods of each constraint; null for one that counts no pods. */
  private final @Nullable PodCount[] groups;

  /** By constraint and domain. */
  private final int[][] pods;

  private final int[][] nodes;

  /** By constraint: how many domains have a node that counts. */
  private final int[] domains;

  /** By node: which of the constraints' labels it lacks, a bit each. */
  private long[] lacking = new long[0];

  /** By constraint: how many nodes lack its label. */
  private final int[] lackers;

  /** By constraint and node, what is in the sums above. */
  private int[][] countedIn;

  private int[][] countedPods;
  private long position = -1;

  /** Nodes that a dry run changed; the changes may have been undone since. */
  private final BitSet tried = new BitSet();

  SpreadCounts(Cluster cluster, Key key, PodSpecView spec, TolerationRules rules) {
    this.cluster = cluster;
    this.rules = rules;
    this.key = key;
    this.spec = spec;
    int size = key.constraints().size();
    columns = new TopologyColumn[size];
    groups = new PodCount[size];
    for (int i = 0; i < size; i++) {
      columns[i] = cluster.topology(key.constraints().get(i).topologyKey());
    }
    NodeAffinity affinity = key.nodeAffinity();
    looksAtNodes =
        !key.nodeSelector().isEmpty() || (affinity != null && affinity.required() != null);
    pods = new int[size][0];
    nodes = new int[size][0];
    domains = new int[size];
    lackers = new int[size];
    countedIn = new int[size][0];
    countedPods = new int[size][0];
  }

  int size() {
    return columns.length;
  }

  SpreadConstraint constraint(int i) {
    return key.constraints().get(i);
  }

  boolean allTopologies() {
    return key.allTopologies();
  }

  TopologyColumn topology(int i) {
    return columns[i];
  }

  /** How many pods of a constraint are on a node, whether or not it counts. */
  int podsOn(int i, int node) {
    PodCount group = groups[i];
    return group == null ? 0 : group.counts().get(node);
  }

  /** How many pods of a constraint each domain has. */
  int[] podsByDomain(int i) {
    return pods[i];
  }

  /** What the domain with the fewest pods has; none if there are too few domains. */
  int fewest(int i) {
    if (domains[i] == 0 || domains[i] < constraint(i).minDomains()) {
      return 0;
    }
    int fewest = Integer.MAX_VALUE;
    int[] mine = pods[i];
    int[] there = nodes[i];
    for (int domain = 0; domain < mine.length; domain++) {
      if (mine[domain] < fewest && there[domain] > 0) {
        fewest = mine[domain];
      }
    }
    return fewest;
  }

  /** Whether some node lacks a constraint's label, or some domain has more pods than a number. */
  boolean mayRefuse(int i, long most) {
    if (lackers[i] > 0) {
      return true;
    }
    for (int count : pods[i]) {
      if (count > most) {
        return true;
      }
    }
    return false;
  }

  /** Whether every node has the labels of all constraints. */
  boolean nobodyLacks() {
    for (int count : lackers) {
      if (count > 0) {
        return false;
      }
    }
    return true;
  }

  /** Brings all of this up to date. */
  void update() {
    boolean known = position >= 0;
    for (int i = 0; i < groups.length; i++) {
      SpreadConstraint constraint = constraint(i);
      if (!constraint.selector().selectsEverything()) { // Upstream counts none for those.
        PodCount group =
            cluster.podCounts().of(PodSelection.remaining(key.namespace(), constraint.selector()));
        known &= group == groups[i];
        groups[i] = group;
      }
    }
    makeRoom();
    if (!known || !cluster.changes().since(position, this::look)) {
      countAll();
    }
    position = cluster.changes().position();
    tried.stream().forEach(this::look);
    tried.clear();
  }

  /** Counts a node anew on which a dry run, which the change log leaves out, moved pods. */
  void tried(int node) {
    look(node);
    tried.set(node);
  }

  private void makeRoom() {
    if (lacking.length < cluster.limit()) {
      lacking = Arrays.copyOf(lacking, cluster.limit());
    }
    for (int i = 0; i < columns.length; i++) {
      if (pods[i].length < columns[i].domains()) {
        int length = Math.max(columns[i].domains(), pods[i].length * 3 / 2);
        pods[i] = Arrays.copyOf(pods[i], length);
        nodes[i] = Arrays.copyOf(nodes[i], length);
      }
      if (countedIn[i].length < cluster.limit()) {
        int before = countedIn[i].length;
        countedIn[i] = Arrays.copyOf(countedIn[i], cluster.limit());
        Arrays.fill(countedIn[i], before, cluster.limit(), -1);
        countedPods[i] = Arrays.copyOf(countedPods[i], cluster.limit());
      }
    }
  }

  private void countAll() {
    for (int i = 0; i < columns.length; i++) {
      Arrays.fill(pods[i], 0);
      Arrays.fill(nodes[i], 0);
      Arrays.fill(countedIn[i], -1);
      domains[i] = 0;
      lackers[i] = 0;
    }
    Arrays.fill(lacking, 0);
    for (int node = 0; node < cluster.limit(); node++) {
      look(node);
    }
  }

  /** Counts a node anew. */
  private void look(int node) {
    lookAtLabels(node);
    boolean counts = cluster.exists(node) && (!key.allTopologies() || hasAllTopologies(node));
    boolean allowed = counts && (!looksAtNodes || isAllowed(node));
    for (int i = 0; i < columns.length; i++) {
      SpreadConstraint constraint = constraint(i);
      boolean included =
          counts
              && (allowed || !constraint.honorsAffinity())
              && (!constraint.honorsTaints() || isTolerated(node));
      count(i, node, included ? columns[i].domain(node) : -1, included ? podsOn(i, node) : 0);
    }
  }

  private void count(int i, int node, int domain, int count) {
    int before = countedIn[i][node];
    if (before >= 0) {
      pods[i][before] -= countedPods[i][node];
      if (--nodes[i][before] == 0) {
        domains[i]--;
      }
    }
    if (domain >= 0) {
      pods[i][domain] += count;
      if (nodes[i][domain]++ == 0) {
        domains[i]++;
      }
    }
    countedIn[i][node] = domain;
    countedPods[i][node] = count;
  }

  private void lookAtLabels(int node) {
    long lacks = 0;
    if (cluster.exists(node)) {
      for (int i = 0; i < columns.length; i++) {
        lacks |= columns[i].domain(node) < 0 ? 1L << i : 0;
      }
    }
    if (lacks != lacking[node]) {
      for (int i = 0; i < columns.length; i++) {
        lackers[i] += (int) ((lacks >> i & 1) - (lacking[node] >> i & 1));
      }
      lacking[node] = lacks;
    }
  }

  boolean hasAllTopologies(int node) {
    return lacking[node] == 0;
  }

  private boolean isAllowed(int node) {
    return NodeSelection.allows(spec, cluster.node(node).view());
  }

  private boolean isTolerated(int node) {
    List<Taint> taints = cluster.taints(cluster.taintSet(node));
    return taints.isEmpty()
        || RemainingTaints.of(taints, key.tolerations(), rules).refusal().isEmpty();
  }
}
