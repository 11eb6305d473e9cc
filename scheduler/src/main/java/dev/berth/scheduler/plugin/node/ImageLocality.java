package dev.berth.scheduler.plugin.node;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeImages.Image;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prefers nodes that have a pod's images already. An image counts by its size, times the share of
 * nodes that have it: one that few nodes have would draw all pods to those few. Sums from {@link
 * #LEAST} to {@link #MOST_PER_CONTAINER} for each container make the scores from worst to best.
 */
public final class ImageLocality implements ScorePlugin {
  public static final String NAME = "ImageLocality";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.SCORE)
          .weight(1)
          .factory((_, _) -> new ImageLocality());

  private static final long MEBIBYTE = 1024 * 1024;
  private static final long LEAST = 23 * MEBIBYTE;
  private static final long MOST_PER_CONTAINER = 1000 * MEBIBYTE;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public long version(Cluster cluster) {
    return cluster.images().version();
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    List<Wanted> wanted = new ArrayList<>();
    for (String name : pod.podClass().images()) {
      Image image = cluster.images().get(name);
      if (image != null) {
        double share = (double) image.nodes() / cluster.size();
        wanted.add(new Wanted(image, (long) (image.size() * share)));
      }
    }
    return wanted.isEmpty()
        ? null
        : new Score(wanted, MOST_PER_CONTAINER * pod.podClass().images().size());
  }

  private record Wanted(Image image, long worth) {}

  private record Score(List<Wanted> wanted, long most) implements NodeScore {
    @Override
    public long score(int node) {
      long sum = 0;
      for (int i = 0; i < wanted.size(); i++) {
        Wanted one = wanted.get(i);
        sum += one.image.isOn(node) ? one.worth : 0;
      }
      return MAX * (Math.clamp(sum, LEAST, most) - LEAST) / (most - LEAST);
    }

    @Override
    public Normalization normalization() {
      return Normalization.NONE;
    }
  }
}
