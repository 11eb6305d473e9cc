package dev.berth.sim.nodedrain;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.controllers.nodedrain.NodeDrainController;
import dev.berth.controllers.nodedrain.NodeDrainDefinition;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Row X9: drains on the server. */
class NodeDrainTest {
  private static final String CONTROLLER = "nodedrain";

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final DrainFixture drains = new DrainFixture(cluster);

  @BeforeEach
  void begin() {
    cluster.run(
        "disruption",
        () -> DisruptionController.start(cluster.parts(DisruptionController.ACCOUNT)));
    cluster.run(
        CONTROLLER, () -> NodeDrainController.start(cluster.parts(NodeDrainController.ACCOUNT)));
    for (String node : new String[] {"n1", "n2", "n3", "n4", "n5"}) {
      cluster.node(node, "4");
    }
    drains.define();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  /** A pod on each of the first three nodes, of which all must stay. */
  private void threeHeldBack() {
    drains.ready("a", "n1");
    drains.ready("b", "n2");
    drains.ready("c", "n3");
    drains.budget(3);
    advance(2);
  }

  @Test
  void nodesAreCordonedAndEmptiedOneAfterTheOther() {
    drains.ready("a", "n1");
    drains.ready("b", "n2");
    drains.ready("c", "n3");
    drains.drain("d", "{'nodes':['n1','n2']}");
    advance(1);
    assertThat(drains.progress("d")).isEqualTo("Succeeded 2/2 2/2");
    assertThat(drains.cordoned()).containsExactly("n1", "n2");
    assertThat(drains.podsOn("n3")).containsExactly("c");
    assertThat(Conditions.isTrue(drains.status("d").array("conditions"), "Complete")).isTrue();
    assertThat(cluster.events("d", "Completed")).containsExactly("Drained 2 nodes of 2 pods");
    assertThat(cluster.events("n1", "Cordoned")).containsExactly("Cordoned by NodeDrain d");
    assertThat(cluster.events("n1", "NodeDrained"))
        .containsExactly("Node n1 is drained: 1 pod evicted");
    assertThat(cluster.warnings()).isEmpty();
  }

  @Test
  void soManyNodesAtATimeAndNoMorePodsThanTheBudgetAllows() {
    for (int i = 1; i <= 5; i++) {
      drains.ready("p" + i, "n" + i);
    }
    drains.budget(4);
    advance(2);
    drains.drain("d", "{'nodes':['n1','n2','n3','n4','n5'],'maxConcurrentNodes':3}");
    advance(10);
    // One could go, so the fourth has begun.
    assertThat(drains.cordoned()).containsExactly("n1", "n2", "n3", "n4");
    assertThat(cluster.list(Resources.PODS)).hasSize(4);
    assertThat(drains.progress("d")).isEqualTo("Running 1/5 1/4");
    JsonObject status = drains.status("d");
    assertThat(status.integer("podsBlocked")).hasValue(3);
    assertThat(status.text("message", ""))
        .startsWith("3 pods held back, such as default/p")
        .endsWith(": The disruption budget web needs 4 healthy pods and has 4 currently");
    assertThat(Conditions.isTrue(status.array("conditions"), "Blocked")).isTrue();

    cluster.delete(Resources.POD_DISRUPTION_BUDGETS, podName("web"));
    cluster.settle();
    assertThat(drains.progress("d")).isEqualTo("Succeeded 5/5 5/5");
    assertThat(Conditions.isTrue(drains.status("d").array("conditions"), "Blocked")).isFalse();
  }

  /** Without waiting until the next try. */
  @Test
  void aReplacementThatIsReadyLetsTheNextPodGo() {
    threeHeldBack();
    drains.drain("d", "{'nodes':['n1']}");
    advance(300);
    assertThat(drains.podsOn("n1")).containsExactly("a");
    drains.ready("x", "n5");
    advance(2);
    assertThat(drains.progress("d")).isEqualTo("Succeeded 1/1 1/1");
  }

  @Test
  void aRestartGoesOnWhereItWas() {
    threeHeldBack();
    drains.drain("d", "{'nodes':['n1','n2','n3'],'maxConcurrentNodes':2,'deadline':'10m'}");
    advance(60);
    cluster.crash(CONTROLLER);
    drains.ready("x", "n5");
    advance(60);
    assertThat(drains.podsOn("n1")).containsExactly("a");
    cluster.restart(CONTROLLER);
    advance(1);
    assertThat(drains.progress("d")).startsWith("Running 1/3");
    advance(600 - 121 - 5);
    assertThat(drains.progress("d")).startsWith("Running 1/3");
    advance(5);
    assertThat(drains.progress("d")).startsWith("Failed 1/3");
  }

  @Test
  void whileItIsPausedNobodyIsEvicted() {
    threeHeldBack();
    drains.drain("d", "{'nodes':['n1','n2','n3']}");
    advance(10);
    drains.change("d", "{'paused':true}");
    cluster.delete(Resources.POD_DISRUPTION_BUDGETS, podName("web"));
    advance(3600);
    assertThat(drains.progress("d")).startsWith("Paused 0/3");
    assertThat(cluster.list(Resources.PODS)).hasSize(3);
    assertThat(drains.cordoned()).containsExactly("n1");
    drains.change("d", "{'paused':false}");
    advance(40);
    assertThat(drains.progress("d")).isEqualTo("Succeeded 3/3 3/3");
  }

  @Test
  void cancellingUncordonsWhatItHasCordonedAndNothingElse() {
    threeHeldBack();
    cluster.patch(Resources.NODES, ObjectName.of("n2"), "{'spec':{'unschedulable':true}}");
    drains.drain("d", "{'nodes':['n1','n2','n3'],'maxConcurrentNodes':3}");
    advance(10);
    assertThat(drains.cordoned()).containsExactly("n1", "n2", "n3");
    drains.change("d", "{'cancelled':true}");
    advance(1);
    assertThat(drains.progress("d")).startsWith("Cancelled");
    assertThat(drains.cordoned()).containsExactly("n2");
    cluster.delete(Resources.POD_DISRUPTION_BUDGETS, podName("web"));
    advance(3600);
    assertThat(cluster.list(Resources.PODS)).hasSize(3);
  }

  @Test
  void oneThatIsOverCanBeCancelledToUncordonItsNodes() {
    drains.drain("d", "{'nodes':['n1']}");
    advance(1);
    assertThat(drains.progress("d")).startsWith("Succeeded");
    drains.change("d", "{'cancelled':true}");
    advance(1);
    assertThat(drains.cordoned()).isEmpty();
    assertThat(drains.progress("d")).startsWith("Cancelled");
  }

  /** As the node lifecycle controller does, which taints a node that is cordoned. */
  @Test
  void aNodeThatChangesBeforeItsCordonIsAnsweredIsUncordonedAllTheSame() {
    ControllerParts parts = cluster.parts(NodeDrainController.ACCOUNT);
    Api overtaken =
        new InterceptedApi(
            parts.api(),
            (request, real) -> {
              ApiResult answer = real.send(request);
              if (request instanceof ApiRequest.Patch && drains.cordoned().contains("n1")) {
                cluster.taint("n1", "[{'key':'cordoned','effect':'NoSchedule'}]");
              }
              return answer;
            });
    cluster.run(
        CONTROLLER,
        () ->
            NodeDrainController.start(
                new ControllerParts(
                    overtaken,
                    parts.informers(),
                    parts.time(),
                    parts.metrics(),
                    parts.warnings())));
    drains.drain("d", "{'nodes':['n1']}");
    advance(1);
    assertThat(drains.progress("d")).startsWith("Succeeded");
    drains.change("d", "{'cancelled':true}");
    advance(1);
    assertThat(drains.cordoned()).isEmpty();
    assertThat(drains.progress("d")).startsWith("Cancelled");
  }

  @Test
  void theDeadlineEndsItOrEndsThePatienceWithBudgets() {
    threeHeldBack();
    drains.drain("fails", "{'nodes':['n1'],'deadline':'5m'}");
    drains.drain("deletes", "{'nodes':['n2'],'deadline':'5m','afterDeadline':'Delete'}");
    advance(298);
    assertThat(cluster.list(Resources.PODS)).hasSize(3);
    advance(3);
    assertThat(drains.progress("fails")).startsWith("Failed 0/1");
    assertThat(cluster.events("fails", "DeadlineExceeded"))
        .containsExactly("the deadline passed before these were drained: n1");
    assertThat(drains.podsOn("n1")).containsExactly("a");
    assertThat(drains.progress("deletes")).isEqualTo("Succeeded 1/1 1/1");
  }

  @Test
  void aNodeThatIsDeletedMidwayIsThrough() {
    threeHeldBack();
    drains.drain("d", "{'nodes':['n1','n4']}");
    advance(10);
    cluster.delete(Resources.NODES, ObjectName.of("n1"));
    advance(1);
    assertThat(drains.progress("d")).startsWith("Succeeded 2/2");
  }

  @Test
  void aNodeThatSomebodyUncordonsIsCordonedAgain() {
    threeHeldBack();
    drains.drain("d", "{'nodes':['n1']}");
    advance(10);
    cluster.patch(Resources.NODES, ObjectName.of("n1"), "{'spec':{'unschedulable':null}}");
    advance(1);
    assertThat(drains.cordoned()).containsExactly("n1");
  }

  @Test
  void aNodeWithPodsThatNobodyMakesAgainIsRefused() {
    cluster.pod("bare", "10m", "{'nodeName':'n1'}");
    drains.ready("a", "n2");
    drains.drain("d", "{'nodes':['n1','n2']}");
    advance(1);
    assertThat(drains.progress("d")).startsWith("Failed 2/2");
    assertThat(drains.cordoned()).containsExactly("n2");
    assertThat(drains.podsOn("n1")).containsExactly("bare");
    assertThat(cluster.events("n1", "NodeRefused")).singleElement().asString().contains("force");
  }

  @Test
  void itRestsWithoutItsDefinitionAndIsThereWithIt() {
    cluster.delete(NodeDrainDefinition.DEFINITIONS, NodeDrainDefinition.NAME);
    advance(600);
    assertThat(cluster.warnings()).isEmpty();
    drains.define();
    drains.drain("d", "{'nodes':['n1']}");
    advance(1);
    assertThat(drains.progress("d")).startsWith("Succeeded");
  }

  @Test
  void whatTheSchemaDoesNotAllowIsRefusedByTheServer() {
    assertThat(
            cluster
                .admin()
                .create(
                    NodeDrainDefinition.NODE_DRAINS,
                    VirtualCluster.tree(
                        "{'apiVersion':'berth.dev/v1alpha1','kind':'NodeDrain','metadata':{'name':'d'},'spec':{'deadline':'soon'}}"))
                .toString())
        .contains("spec.deadline", "set nodes or nodeSelector");
  }
}
