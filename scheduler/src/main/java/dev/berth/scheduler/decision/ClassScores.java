package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.DryRun;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedFilter;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedScore;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the local plugins of a profile answer for all nodes, for one class of pods of one priority:
 * whether a node is feasible, and its total score. Before each use, the nodes that have changed are
 * evaluated again. These are few: as a rule one, the node that the last pod went to.
 */
final class ClassScores {
  /** The total of a node that is not allowed, or not there. */
  static final int NOT_ALLOWED = -1;

  private static final byte ALLOWED = -1;
  private static final byte ABSENT = -2;

  /** Reasons come and go with the values of taints; beyond this number, they are collected anew. */
  private static final int MAX_REASONS = 10_000;

  private final Cluster cluster;
  private final long version;
  private final long priority;
  private final NodeFilter[] filters;

  /** The position in the profile of the last of them; -1 if there is none. */
  private final int lastPosition;

  private final NodeScore[] scores;
  private final int[] weights;
  private final NormalizedColumn[] normalized;
  private final List<PreparedScore> ownNormalized = new ArrayList<>();

  /** The filter that refused a node, {@link #ALLOWED} or {@link #ABSENT}. */
  private byte[] refusedBy = new byte[0];

  /** The sum of the scores that need no normalization. */
  private int[] base = new int[0];

  private int[] totals = new int[0];
  private int feasible;
  private long position;
  private boolean maxIsStale;

  /** Kept up to date from when a pod of this class is first unschedulable. */
  private @Nullable ReasonsByNode reasons;

  ClassScores(ProfilePlugins plugins, PodInfo pod, Cluster cluster) {
    this.cluster = cluster;
    this.version = plugins.version(cluster);
    this.priority = pod.priority();
    List<PreparedFilter> prepared = plugins.localFilters(pod, cluster);
    this.filters = prepared.stream().map(PreparedFilter::filter).toArray(NodeFilter[]::new);
    this.lastPosition = prepared.isEmpty() ? -1 : prepared.getLast().position();
    List<PreparedScore> plain = new ArrayList<>();
    List<NormalizedColumn> columns = new ArrayList<>();
    for (PreparedScore score : plugins.localScores(pod, cluster)) {
      switch (score.score().normalization()) {
        case NONE -> plain.add(score);
        case SCALED, SCALED_REVERSED -> columns.add(new NormalizedColumn(score));
        case OWN -> ownNormalized.add(score);
      }
    }
    this.scores = plain.stream().map(PreparedScore::score).toArray(NodeScore[]::new);
    this.weights = plain.stream().mapToInt(PreparedScore::weight).toArray();
    this.normalized = columns.toArray(NormalizedColumn[]::new);
    this.position = cluster.changes().position();
    grow();
    updateAll();
  }

  /** The plugins' version when these scores were computed. */
  long version() {
    return version;
  }

  void refresh() {
    long now = cluster.changes().position();
    if (position == now) {
      return;
    }
    grow();
    if (now - position > cluster.limit() || !cluster.changes().since(position, this::update)) {
      updateAll();
    }
    position = now;
    rescale();
  }

  private void grow() {
    int limit = cluster.limit();
    if (limit > totals.length) {
      int from = totals.length;
      int capacity = limit + limit / 4;
      refusedBy = Arrays.copyOf(refusedBy, capacity);
      base = Arrays.copyOf(base, capacity);
      totals = Arrays.copyOf(totals, capacity);
      Arrays.fill(refusedBy, from, capacity, ABSENT);
      Arrays.fill(totals, from, capacity, NOT_ALLOWED);
      for (NormalizedColumn column : normalized) {
        column.grow(capacity);
      }
    }
  }

  private void updateAll() {
    for (int node = 0; node < cluster.limit(); node++) {
      update(node);
    }
    rescale();
  }

  private void update(int node) {
    byte answer = cluster.exists(node) ? filter(node) : ABSENT;
    boolean allowed = answer == ALLOWED;
    feasible += (allowed ? 1 : 0) - (refusedBy[node] == ALLOWED ? 1 : 0);
    refusedBy[node] = answer;
    if (allowed) {
      int sum = 0;
      for (int i = 0; i < scores.length; i++) {
        sum += weights[i] * (int) scores[i].score(node);
      }
      base[node] = sum;
    }
    for (NormalizedColumn column : normalized) {
      maxIsStale |= column.update(node, allowed);
    }
    totals[node] = allowed ? total(node) : NOT_ALLOWED;
    if (reasons != null) {
      reasons.set(node, reason(node));
    }
  }

  /** A node must pass the filters without the pods that are nominated to it, and with them. */
  private byte filter(int node) {
    byte answer = filterAsItIs(node);
    return answer == ALLOWED && hasNominated(node)
        ? withNominated(node, () -> filterAsItIs(node))
        : answer;
  }

  private boolean hasNominated(int node) {
    return !cluster.nominations().isEmpty() && !nominated(node).isEmpty();
  }

  private List<PodInfo> nominated(int node) {
    return cluster.nominations().from(priority, cluster.node(node).name());
  }

  private <T> T withNominated(int node, Supplier<T> question) {
    try (DryRun dryRun = cluster.dryRun()) {
      nominated(node).forEach(pod -> dryRun.add(pod, cluster.node(node).name()));
      return question.get();
    }
  }

  private byte filterAsItIs(int node) {
    for (int i = 0; i < filters.length; i++) {
      if (!filters[i].allows(node)) {
        return (byte) i;
      }
    }
    return ALLOWED;
  }

  private int total(int node) {
    int total = base[node];
    for (NormalizedColumn column : normalized) {
      total += column.weighted(node);
    }
    return total;
  }

  /** If the greatest score of a plugin has changed, all totals have. */
  private void rescale() {
    if (!maxIsStale) {
      return;
    }
    maxIsStale = false;
    boolean changed = false;
    for (NormalizedColumn column : normalized) {
      changed |= column.findMax(cluster.limit());
    }
    if (changed) {
      for (int node = 0; node < cluster.limit(); node++) {
        if (refusedBy[node] == ALLOWED) {
          totals[node] = total(node);
        }
      }
    }
  }

  /** The totals of all nodes, {@link #NOT_ALLOWED} for those that are not; not to be changed. */
  int[] totals() {
    return totals;
  }

  /** How many nodes are feasible. */
  int feasible() {
    return feasible;
  }

  /** Local scores that cannot be added up before it is known which nodes are allowed. */
  List<PreparedScore> ownNormalized() {
    return ownNormalized;
  }

  /**
   * Corrects the totals after other filters have rejected further nodes: among the remaining ones,
   * the greatest score of a plugin may be smaller.
   */
  void rescale(int[] fewer) {
    int limit = cluster.limit();
    long[] greatest = new long[normalized.length];
    boolean changed = false;
    for (int i = 0; i < normalized.length; i++) {
      greatest[i] = normalized[i].max() == 0 ? 0 : normalized[i].maxOf(fewer, limit);
      changed |= greatest[i] != normalized[i].max();
    }
    if (!changed) {
      return;
    }
    for (int node = 0; node < limit; node++) {
      if (fewer[node] >= 0) {
        int total = base[node];
        for (int i = 0; i < normalized.length; i++) {
          total += normalized[i].weighted(node, greatest[i]);
        }
        fewer[node] = total;
      }
    }
  }

  /** Why nodes are not allowed. */
  ReasonsByNode reasons() {
    if (reasons == null || reasons.size() > MAX_REASONS) {
      reasons = new ReasonsByNode(totals.length);
      for (int node = 0; node < cluster.limit(); node++) {
        reasons.set(node, reason(node));
      }
    }
    return reasons;
  }

  private @Nullable Reason reason(int node) {
    byte by = refusedBy[node];
    if (by < 0) {
      return null;
    }
    NodeFilter filter = filters[by];
    return Reason.of(
        filter.allows(node)
            ? withNominated(node, () -> filter.refusal(node))
            : filter.refusal(node));
  }

  int lastPosition() {
    return lastPosition;
  }
}
