package dev.berth.scheduler.plugin.resources;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Prefers nodes whose resources would be used more evenly with the pod than without: a node with
 * its memory full and its cpu idle is of no use to other pods. Evenness is 100 less the standard
 * deviation of the used shares, in percent; 75 means that the pod changes nothing. A pod that
 * requests nothing changes nothing anywhere.
 */
public final class NodeResourcesBalancedAllocation implements ScorePlugin {
  public static final String NAME = "NodeResourcesBalancedAllocation";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE)
          .weight(1)
          .arguments(
              new PluginArguments(
                  Set.of("resources"),
                  args -> ResourceWeight.check(args, 1),
                  ResourceWeight::withDefaults))
          .factory((args, _) -> new NodeResourcesBalancedAllocation(args));

  private final List<ResourceWeight> resources;

  public NodeResourcesBalancedAllocation() {
    this(JsonObject.EMPTY);
  }

  /**
   * From a configuration file.
   *
   * @param arguments {@code NodeResourcesBalancedAllocationArgs}: {@code resources}
   */
  public NodeResourcesBalancedAllocation(JsonObject arguments) {
    this.resources = ResourceWeight.read(arguments.array("resources").objects());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    int[] columns = new ScoredResources(resources, pod.requests(), cluster).columns;
    return Arrays.stream(columns).allMatch(column -> pod.requests().get(column) == 0)
        ? null
        : new Score(columns, pod, cluster);
  }

  private static final class Score implements NodeScore {
    private final int[] columns;
    private final long[] asked;
    private final Cluster cluster;
    private final double[] shares;

    Score(int[] columns, PodInfo pod, Cluster cluster) {
      this.columns = columns;
      this.asked = Arrays.stream(columns).mapToLong(pod.requests()::get).toArray();
      this.cluster = cluster;
      this.shares = new double[columns.length];
    }

    @Override
    public long score(int node) {
      return MAX / 2 + (MAX / 2 + evenness(node, true) - evenness(node, false)) / 2;
    }

    private long evenness(int node, boolean withPod) {
      int size = 0;
      for (int i = 0; i < columns.length; i++) {
        long capacity = cluster.allocatable(columns[i], node);
        if (capacity != 0) {
          long used = cluster.requested(columns[i], node) + (withPod ? asked[i] : 0);
          shares[size++] = Math.min(1, (double) used / capacity);
        }
      }
      return (long) ((1 - deviation(size)) * MAX);
    }

    private double deviation(int size) {
      if (size < 2) {
        return 0;
      }
      if (size == 2) {
        return Math.abs((shares[0] - shares[1]) / 2);
      }
      double sum = 0;
      for (int i = 0; i < size; i++) {
        sum += shares[i];
      }
      double mean = sum / size;
      double squares = 0;
      for (int i = 0; i < size; i++) {
        squares += (shares[i] - mean) * (shares[i] - mean);
      }
      return Math.sqrt(squares / size);
    }

    @Override
    public Normalization normalization() {
      return Normalization.NONE;
    }
  }
}
