package dev.berth.sim;

import static dev.berth.sim.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All that {@code berth up --hollow} runs, seen from its API, on a clock that the test turns. */
class WholeClusterTest {
  private static final String BY_TAINT = "DeletionByTaintManager";

  private static WholeCluster cluster(int nodes, String... zones) {
    WholeCluster cluster = new WholeCluster(7, HollowSettings.of(nodes).zones(zones));
    cluster.advance(Duration.ofSeconds(30));
    return cluster;
  }

  /** Pods leave an unreachable node when their toleration runs out, and not a tick sooner. */
  @Test
  void evictsOnceTheTolerationRunsOut() {
    try (WholeCluster cluster = cluster(2)) {
      cluster.create(
          pod("web")
              .on("hollow-0")
              .grace(Duration.ofSeconds(1))
              .tolerating("maintenance", Duration.ofSeconds(300)));
      cluster.advance(Duration.ofSeconds(10));
      cluster.taint("hollow-0", "maintenance");

      cluster.advance(Duration.ofSeconds(299));
      cluster.assertRunning("web");

      cluster.advance(Duration.ofSeconds(1));
      cluster.assertEvicted("web", BY_TAINT);
    }
  }

  @Test
  void aPodGetsANodeRunsThereAndGoesWhenItIsDeleted() {
    try (WholeCluster cluster = cluster(3)) {
      cluster.create(pod("web").grace(Duration.ofSeconds(5)));
      cluster.advance(Duration.ofSeconds(2));
      cluster.assertRunning("web");

      assertThat(
              cluster
                  .cluster()
                  .admin()
                  .delete(Resources.PODS, VirtualCluster.podName("web"))
                  .isDone())
          .isTrue();
      cluster.advance(Duration.ofSeconds(5));
      assertThat(cluster.cluster().exists("web")).isFalse();
    }
  }

  /**
   * The story of a partition: the pods of a lost node are not ready at once, terminating once they
   * no longer tolerate it, and gone when their node is back and has confirmed it.
   */
  @Test
  void thePodsOfAPartitionedNodeEndWhenItIsBack() {
    try (WholeCluster cluster = cluster(4)) {
      cluster.create(pod("web").on("hollow-0"));
      cluster.create(pod("agent").on("hollow-0").tolerating(WellKnownTaints.UNREACHABLE));
      cluster.advance(Duration.ofSeconds(10));

      cluster.silence("hollow-0");
      cluster.advance(Duration.ofSeconds(46));
      assertThat(cluster.node("hollow-0").ready()).isFalse();
      assertThat(cluster.pod("web").ready()).isFalse();
      assertThat(cluster.pod("web").terminating()).isFalse();
      assertThat(unreachable(cluster.node("hollow-0"))).isTrue();

      cluster.advance(Duration.ofMinutes(5));
      cluster.assertEvicted("web", BY_TAINT);
      cluster.advance(Duration.ofHours(1));
      assertThat(cluster.cluster().exists("web")).as("nobody has confirmed its end").isTrue();

      cluster.resume("hollow-0");
      cluster.advance(Duration.ofSeconds(40));
      assertThat(cluster.cluster().exists("web")).isFalse();
      cluster.assertRunning("agent");
      assertThat(cluster.node("hollow-0").taints()).isEmpty();
    }
  }

  private static boolean unreachable(NodeView node) {
    return node.taints().stream()
        .anyMatch(t ->
            t.key().equals(WellKnownTaints.UNREACHABLE) && t.effect() == TaintEffect.NO_EXECUTE);
  }

  /** Annotations tell hollow nodes what to do, through any API server. */
  @Test
  void aNodeIsSilencedByAnAnnotation() {
    try (WholeCluster cluster = cluster(4)) {
      var silent =
          VirtualCluster.tree("{'metadata':{'annotations':{'hollow.berth.dev/silent':'true'}}}");
      Target target = Target.of(Resources.NODES, ObjectName.of("hollow-2"));
      assertThat(cluster.cluster().admin().patch(target, PatchType.MERGE, silent).isDone())
          .isTrue();
      cluster.advance(Duration.ofSeconds(46));
      assertThat(cluster.node("hollow-2").ready()).isFalse();
      assertThat(cluster.node("hollow-1").ready()).isTrue();
    }
  }

  /**
   * A zone goes down, wholly: its nodes are emptied one each ten seconds, however often the control
   * plane is restarted, and its pods leave five minutes after their node's turn.
   */
  @Test
  void aZoneThatIsLostIsEmptiedAtItsRateThroughRestarts() {
    try (WholeCluster cluster = cluster(30, "a", "b", "c")) {
      List<String> lost = cluster.nodesOf("a");
      for (String node : lost) {
        cluster.create(pod("on-" + node).on(node));
      }
      cluster.advance(Duration.ofMinutes(1));
      cluster.silenceZone("a");
      cluster.advance(Duration.ofSeconds(70));
      cluster.restartControlPlane();

      int seconds = 0;
      long before = tainted(cluster, lost);
      while (tainted(cluster, lost) < lost.size()) {
        cluster.advance(Duration.ofSeconds(10));
        long now = tainted(cluster, lost);
        assertThat(now - before).isLessThanOrEqualTo(1);
        before = now;
        seconds += 10;
        assertThat(seconds).isLessThan(300);
      }
      cluster.advance(Duration.ofSeconds(301));
      for (String node : lost) {
        cluster.assertEvicted("on-" + node, BY_TAINT);
      }
    }
  }

  private static long tainted(WholeCluster cluster, List<String> nodes) {
    return nodes.stream().filter(node -> unreachable(cluster.node(node))).count();
  }

  @SeededTest(fixed = 1, fresh = 1)
  void theSameSeedIsTheSameHistory(long seed) {
    assertThat(history(seed)).isEqualTo(history(seed));
  }

  /** Everything that was ever written leaves its mark in the revisions of what there is. */
  private static List<String> history(long seed) {
    HollowSettings restless =
        HollowSettings.of(12).zones("a", "b").crashesPerHour(20).notReadyPerHour(10);
    try (WholeCluster cluster = new WholeCluster(seed, restless)) {
      cluster.advance(Duration.ofSeconds(30));
      for (int i = 0; i < 20; i++) {
        cluster.create(pod("p" + i));
      }
      cluster.advance(Duration.ofMinutes(10));
      cluster.silenceZone("a");
      cluster.advance(Duration.ofMinutes(20));
      return cluster.cluster().list(Resources.PODS).stream()
          .map(p -> ObjectName.of(p) + "@" + Metadata.of(p).resourceVersion())
          .toList();
    }
  }
}
