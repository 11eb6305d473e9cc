package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.NodeTaints;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes fall silent and come back, while the controller crashes, and the server fails, forgets and
 * repeats itself. No zone is ever emptied faster than at the normal rate; when all is calm again,
 * conditions say who is silent, no pod of theirs is ready, taints agree with conditions, and nobody
 * else's taint is lost.
 */
class LifecycleFaultsTest {
  private static final int NODES = 12;
  private static final int STEPS = 40;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noRateIsExceededAndInTheEndTaintsAgreeWithConditions(long seed) {
    try (Run run = new Run(seed)) {
      for (int step = 0; step < STEPS; step++) {
        run.step();
      }
      run.calmDown();
    }
  }

  /** One history. */
  private static final class Run implements AutoCloseable {
    private final VirtualCluster cluster;
    private final Random random;
    private final Hearts hearts;
    private final Emptied emptied;
    private final List<FaultyApi> apis = new ArrayList<>();

    Run(long seed) {
      cluster = new VirtualCluster(seed);
      random = new Random(seed);
      hearts = new Hearts(cluster);
      emptied = new Emptied(cluster);
      cluster.run("lifecycle", this::start);
      for (int i = 0; i < NODES; i++) {
        hearts.add(name(i), i % 2 == 0 ? "a" : "b");
        cluster.taint(name(i), "[{'key':'mine','effect':'NoSchedule'}]");
        cluster.pod(pod(name(i)), "100m", "{'nodeName':'" + name(i) + "'}");
        podReady(name(i));
      }
    }

    private static String pod(String node) {
      return "pod-" + node;
    }

    /** The agent says that the node's pod is ready. */
    private void podReady(String node) {
      cluster.patchStatus(
          Resources.PODS,
          VirtualCluster.podName(pod(node)),
          "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
    }

    private NodeLifecycle start() {
      ControllerParts parts = cluster.parts(NodeLifecycle.ACCOUNT);
      FaultyApi api = new FaultyApi(parts.api(), new Random(random.nextLong()));
      apis.add(api);
      return NodeLifecycle.start(
          new ControllerParts(
              api, parts.time(), parts.metrics(), parts.instance(), parts.warnings()),
          NodeLifecycleSettings.DEFAULT);
    }

    private static String name(int node) {
      return "n" + node;
    }

    void step() {
      String node = name(random.nextInt(NODES));
      switch (random.nextInt(10)) {
        case 0, 1 -> hearts.silence(node);
        case 2, 3 -> {
          hearts.resume(node);
          podReady(node);
        }
        case 4 -> hearts.ready(node, random.nextBoolean());
        case 5 -> {
          if (random.nextBoolean()) {
            cluster.crash("lifecycle");
            cluster.advance(Duration.ofMillis(random.nextInt(60_000)));
          }
          cluster.restart("lifecycle");
        }
        case 6 -> hearts.pressure(node, random.nextBoolean() ? "DiskPressure" : "");
        default -> cluster.advance(Duration.ofMillis(random.nextInt(60_000)));
      }
      cluster.advance(Duration.ofMillis(random.nextInt(3_000)));
    }

    /** The server answers again; one node of each zone is well, so that every zone works or not. */
    void calmDown() {
      hearts.resume(name(0));
      hearts.ready(name(0), true);
      apis.forEach(FaultyApi::heal);
      cluster.advance(Duration.ofMinutes(20));
      emptied.assertApart(Duration.ofSeconds(10));
      for (JsonObject tree : cluster.list(Resources.NODES)) {
        check(NodeView.read(tree));
      }
    }

    private void check(NodeView node) {
      String who = "seed %d: %s %s".formatted(cluster.time().seed(), node.name(), node.taints());
      if (hearts.isSilent(node.name())) {
        assertThat(node.condition("Ready").orElseThrow().status().text())
            .as(who)
            .isEqualTo("Unknown");
        assertThat(PodView.read(cluster.getPod(pod(node.name()))).ready()).as(who).isFalse();
      }
      assertThat(NodeTaints.noSchedule(node).isEmpty()).as(who).isTrue();
      switch (NodeTaints.noExecute(node)) {
        case NodeTaints.NoExecute.Unchanged _ -> {}
        case NodeTaints.NoExecute.Now(var change) -> assertThat(change.isEmpty()).as(who).isTrue();
        case NodeTaints.NoExecute.AtEvictionRate(var _) ->
            assertThat(isStopped(node)).as("%s waits, and its zone is not stopped", who).isTrue();
      }
      assertThat(node.taints())
          .as(who)
          .anyMatch(t -> t.key().equals("mine") && t.effect() == TaintEffect.NO_SCHEDULE);
    }

    /** A zone of six that is disrupted, but not wholly down, is not emptied. */
    private boolean isStopped(NodeView node) {
      List<NodeView> zone =
          cluster.list(Resources.NODES).stream()
              .map(NodeView::read)
              .filter(n -> n.zone().equals(node.zone()))
              .toList();
      long unhealthy = zone.stream().filter(n -> !n.ready()).count();
      return unhealthy > 2 && unhealthy < zone.size() && unhealthy >= 0.55 * zone.size();
    }

    @Override
    public void close() {
      hearts.close();
      emptied.close();
      cluster.close();
    }
  }
}
