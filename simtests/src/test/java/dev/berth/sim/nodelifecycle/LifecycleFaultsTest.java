package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.NodeTaints;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;

/**
 * Nodes fall silent and come back, while the controller crashes, and the server fails, forgets and
 * repeats itself. No zone is ever emptied faster than at the normal rate; when all is calm again,
 * conditions say who is silent, no pod of theirs is ready, taints agree with conditions, and nobody
 * else's taint is lost.
 */
class LifecycleFaultsTest {
  private static final int NODES = 12;
  private static final int STEPS = 40;

  @SeededTest(fixed = 40, fresh = 20)
  void noRateIsExceededAndInTheEndTaintsAgreeWithConditions(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final Heartbeats heartbeats = closing(new Heartbeats(cluster));
    private final TaintedNodes taintedNodes = closing(new TaintedNodes(cluster));

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(20));
      cluster.run(
          "lifecycle",
          () -> NodeLifecycle.start(parts(NodeLifecycle.ACCOUNT), NodeLifecycleSettings.DEFAULT));
      for (int i = 0; i < NODES; i++) {
        heartbeats.add(name(i), i % 2 == 0 ? "a" : "b");
        cluster.taint(name(i), "[{'key':'mine','effect':'NoSchedule'}]");
        cluster.pod(pod(name(i)), "100m", "{'nodeName':'" + name(i) + "'}");
        podReady(name(i));
      }
      step(4, "silence a node", () -> heartbeats.silence(anyNode()));
      step(4, "resume a node", this::resume);
      step(2, "report Ready", () -> heartbeats.ready(anyNode(), random.nextBoolean()));
      step(2, "report pressure", this::pressure);
      crashes(1, "lifecycle");
      passes(6, Duration.ofMinutes(1));
    }

    private String anyNode() {
      return name(random.nextInt(NODES));
    }

    private static String name(int node) {
      return "n" + node;
    }

    private static String pod(String node) {
      return "pod-" + node;
    }

    /** The kubelet says that the node's pod is ready. */
    private void podReady(String node) {
      cluster.patchStatus(
          Resources.PODS,
          VirtualCluster.podName(pod(node)),
          "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
    }

    private void resume() {
      String node = anyNode();
      heartbeats.resume(node);
      podReady(node);
    }

    private void pressure() {
      heartbeats.pressure(anyNode(), random.nextBoolean() ? "DiskPressure" : "");
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofSeconds(3)));
    }

    @Override
    protected void checkInvariant() {
      taintedNodes.assertApart(Duration.ofSeconds(10));
    }

    /** One node of each zone is well, so that every zone works or not. */
    @Override
    protected void calmDown() {
      heartbeats.resume(name(0));
      heartbeats.ready(name(0), true);
    }

    @Override
    protected void checkEnd() {
      for (JsonObject tree : cluster.list(Resources.NODES)) {
        check(NodeView.read(tree));
      }
    }

    private void check(NodeView node) {
      String who = node.name() + " " + node.taints();
      if (heartbeats.isSilent(node.name())) {
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
  }
}
