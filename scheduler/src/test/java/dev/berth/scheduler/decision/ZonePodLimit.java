package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plugin of tests that looks at more than one node: no zone has more pods than the label {@code
 * max-pods-per-zone} of a pod says, and zones with fewer pods are better.
 */
final class ZonePodLimit implements FilterPlugin, ScorePlugin {
  static final String MESSAGE = "the zone has too many pods";

  @Override
  public String name() {
    return "ZonePodLimit";
  }

  @Override
  public Set<ClusterEventKind> events() {
    return Set.of(ClusterEventKind.POD_GONE);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    return pod.labels().get("max-pods-per-zone") instanceof String most
        ? new Filter(Integer.parseInt(most), count(cluster), cluster)
        : null;
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    return pod.labels().has("max-pods-per-zone") ? new Score(count(cluster), cluster) : null;
  }

  /** How many pods the zone of each node has. */
  private static List<Integer> count(Cluster cluster) {
    int[] pods = new int[cluster.limit()];
    for (int node = 0; node < pods.length; node++) {
      for (int other = 0; other < pods.length; other++) {
        pods[node] += sameZone(cluster, node, other) ? cluster.pods(other).size() : 0;
      }
    }
    return new ArrayList<>(Arrays.stream(pods).boxed().toList());
  }

  private static boolean sameZone(Cluster cluster, int node, int other) {
    return cluster.exists(node)
        && cluster.exists(other)
        && zone(cluster, node).equals(zone(cluster, other));
  }

  private static String zone(Cluster cluster, int node) {
    return cluster.node(node).labels().text("zone", "");
  }

  private record Filter(int most, List<Integer> pods, Cluster cluster) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return pods.get(node) < most;
    }

    @Override
    public Refusal refusal(int node) {
      return new TooManyPodsInZone(pods.get(node));
    }

    @Override
    public void added(PodInfo pod, int node) {
      change(node, 1);
    }

    @Override
    public void removed(PodInfo pod, int node) {
      change(node, -1);
    }

    private void change(int node, int by) {
      for (int other = 0; other < pods.size(); other++) {
        if (sameZone(cluster, node, other)) {
          pods.set(other, pods.get(other) + by);
        }
      }
    }
  }

  private record Score(List<Integer> pods, Cluster cluster) implements NodeScore {
    @Override
    public long score(int node) {
      return pods.get(node);
    }

    @Override
    public Normalization normalization() {
      return Normalization.OWN;
    }

    @Override
    public void normalize(long[] scores, BitSet feasible) {
      long most = feasible.stream().mapToLong(node -> scores[node]).max().orElse(0);
      feasible.stream()
          .forEach(node -> scores[node] = most == 0 ? MAX : MAX - MAX * scores[node] / most);
    }
  }

  record TooManyPodsInZone(int pods) implements Refusal {
    @Override
    public String plugin() {
      return "ZonePodLimit";
    }

    @Override
    public List<String> messages() {
      return List.of(MESSAGE);
    }

    @Override
    public boolean preemptionMayHelp() {
      return true;
    }
  }
}
