package dev.berth.bench.nodes;

import static dev.berth.sim.PodBuilder.pod;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.sim.WholeCluster;
import java.time.Duration;

/**
 * A zone of a cluster on virtual time that goes silent, until its last pod is evicted; leases are
 * renewed every 10 s.
 */
final class OutageRun {
  private static final int NODES = 5_000;
  private static final int PODS_EACH = 3;

  /** At 0.1 nodes a second, and after the 300 s that pods tolerate. */
  private static final Duration AT_LEAST = Duration.ofSeconds(10 * (NODES / 3) + 300);

  private static final Duration STEP = Duration.ofSeconds(30);

  /**
   * How many seconds it took, of everybody's time.
   *
   * @param sent whether each renewal is a request; {@code berth simulate} only works out when it
   *     would have been made, which makes no difference to what happens
   */
  double run(boolean sent) {
    long began = System.nanoTime();
    HollowSettings all = HollowSettings.of(NODES).zones("a", "b", "c");
    HollowSettings nodes = sent ? all : all.unsentHeartbeats();
    try (WholeCluster whole = new WholeCluster(1, nodes)) {
      whole.advance(Duration.ofMinutes(1));
      for (int i = 0; i < NODES * PODS_EACH; i++) {
        whole.create(pod("pod-" + i).on("hollow-" + i % NODES).label("node", "n" + i % NODES));
      }
      whole.advance(Duration.ofMinutes(1));
      whole.silenceZone("a");
      int victims = whole.nodesOf("a").size() * PODS_EACH;
      whole.advance(AT_LEAST);
      while (terminating(whole) < victims) {
        whole.advance(STEP);
      }
      return (System.nanoTime() - began) / 1e9;
    }
  }

  private static long terminating(WholeCluster whole) {
    return whole.cluster().list(Resources.PODS).stream()
        .filter(pod -> Metadata.of(pod).isBeingDeleted())
        .count();
  }
}
