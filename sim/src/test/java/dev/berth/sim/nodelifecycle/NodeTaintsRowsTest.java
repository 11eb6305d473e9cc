package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows T8 and T14: node problems become taints, and go with their cause. */
class NodeTaintsRowsTest {

  @ParameterizedTest
  @CsvSource({
    "MemoryPressure, memory-pressure",
    "DiskPressure,   disk-pressure",
    "PIDPressure,    pid-pressure"
  })
  void pressureBecomesATaintAtOnceAndGoesWithItsCause(String condition, String taint) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      scene.cluster.settle();
      scene.hearts.pressure("a0", condition);
      scene.cluster.settle();
      assertThat(scene.taints("a0")).containsExactly(taint + ":NoSchedule");
      scene.hearts.pressure("a0", "");
      scene.cluster.settle();
      assertThat(scene.taints("a0")).isEmpty();
    }
  }

  @Test
  void soDoesTheNetworks() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      network(scene, "True");
      assertThat(scene.taints("a0")).containsExactly("network-unavailable:NoSchedule");
      network(scene, "False");
      assertThat(scene.taints("a0")).isEmpty();
    }
  }

  private static void network(LifecycleScene scene, String status) {
    scene
        .cluster
        .admin()
        .patch(
            Target.of(Resources.NODES, ObjectName.of("a0")).subresource("status"),
            PatchType.STRATEGIC,
            VirtualCluster.tree(
                "{'status':{'conditions':[{'type':'NetworkUnavailable','status':'%s'}]}}"
                    .formatted(status)));
    scene.cluster.settle();
  }

  @Test
  void aCordonedNodeIsUnschedulableAlsoFromTheBeginning() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      scene.cluster.patch(Resources.NODES, ObjectName.of("a0"), "{'spec':{'unschedulable':true}}");
      scene.cluster.create(
          Resources.NODES, "{'metadata':{'name':'n'},'spec':{'unschedulable':true}}");
      scene.cluster.settle();
      assertThat(scene.taints("a0")).containsExactly("unschedulable:NoSchedule");
      assertThat(scene.taints("n")).contains("unschedulable:NoSchedule");
      scene.cluster.patch(Resources.NODES, ObjectName.of("a0"), "{'spec':{'unschedulable':null}}");
      scene.cluster.settle();
      assertThat(scene.taints("a0")).isEmpty();
    }
  }

  @Test
  void aNewNodeIsTaintedNotReadyUntilItIsReady() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      scene.cluster.create(Resources.NODES, "{'metadata':{'name':'n'}}");
      scene.advance(30);
      assertThat(scene.taints("n")).containsExactly("not-ready:NoSchedule");
      scene.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("n"),
          "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}");
      scene.cluster.settle();
      assertThat(scene.taints("n")).isEmpty();
    }
  }

  @Test
  void aNodeThatIsNotReadyIsTaintedTwiceAndSwapsWhenItIsLost() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 3)) {
      scene.advance(60);
      scene.hearts.ready("a0", false);
      scene.cluster.settle();
      assertThat(scene.taints("a0")).containsExactly("not-ready:NoSchedule");
      scene.advance(5);
      assertThat(scene.taints("a0")).containsExactly("not-ready:NoExecute", "not-ready:NoSchedule");

      scene.hearts.silence("a0");
      while (!scene.ready("a0").equals("Unknown")) {
        scene.advance(1);
      }
      assertThat(scene.taints("a0"))
          .as("at once")
          .containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");

      scene.hearts.resume("a0");
      scene.cluster.settle();
      assertThat(scene.taints("a0")).containsExactly("not-ready:NoExecute", "not-ready:NoSchedule");
      scene.hearts.ready("a0", true);
      scene.cluster.settle();
      assertThat(scene.taints("a0")).isEmpty();
    }
  }

  @Test
  void otherPeoplesTaintsStay() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.cluster.settle();
      scene.cluster.taint(
          "a0",
          "[{'key':'mine','effect':'NoExecute'},{'key':'node.cloudprovider.kubernetes.io/uninitialized','value':'true','effect':'NoSchedule'}]");
      scene.hearts.silence("a0");
      scene.advance(60);
      assertThat(scene.taints("a0"))
          .containsExactly(
              "mine:NoExecute",
              "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule",
              "unreachable:NoExecute",
              "unreachable:NoSchedule");
      scene.hearts.resume("a0");
      scene.cluster.settle();
      assertThat(scene.taints("a0"))
          .containsExactly(
              "mine:NoExecute", "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule");
    }
  }

  @Test
  void withoutTaintBasedEvictionsNothingIsEvicted() {
    try (LifecycleScene scene = new LifecycleScene(1, gates(false, true)).zone("a", 3)) {
      scene.hearts.silence("a0");
      scene.advance(600);
      assertThat(scene.taints("a0")).containsExactly("unreachable:NoSchedule");
    }
  }

  @Test
  void withoutTaintNodesByConditionThereAreNoNoScheduleTaints() {
    try (LifecycleScene scene = new LifecycleScene(1, gates(true, false)).zone("a", 3)) {
      for (int i = 0; i < 3; i++) {
        scene.cluster.taint("a" + i, "null");
      }
      scene.hearts.silence("a0");
      scene.hearts.pressure("a1", "DiskPressure");
      scene.advance(600);
      assertThat(scene.taints("a0")).containsExactly("unreachable:NoExecute");
      assertThat(scene.taints("a1")).isEmpty();
    }
  }

  private static NodeLifecycleSettings gates(boolean evictions, boolean conditions) {
    return new NodeLifecycleSettings(
        Duration.ofSeconds(5),
        new HealthSettings(Duration.ofSeconds(40), Duration.ofSeconds(60), evictions, conditions),
        ZoneSettings.DEFAULT);
  }
}
