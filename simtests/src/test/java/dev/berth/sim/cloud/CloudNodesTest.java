package dev.berth.sim.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.controllers.cloudnode.CloudNodeController;
import dev.berth.controllers.cloudnodelifecycle.CloudNodeLifecycleController;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Row N9: nodes are as their cloud knows them, go with their machines, and are tainted with them.
 */
class CloudNodesTest {
  private final VirtualCluster cluster = new VirtualCluster(1);
  private final SimulatedCloud cloud = new SimulatedCloud();

  @BeforeEach
  void start() {
    CloudSettings settings = CloudSettings.of(cloud);
    cluster.run(
        "cloud-node",
        () -> CloudNodeController.start(cluster.parts(CloudNodeController.ACCOUNT), settings));
    cluster.run(
        "cloud-node-lifecycle",
        () ->
            CloudNodeLifecycleController.start(
                cluster.parts(CloudNodeLifecycleController.ACCOUNT), settings));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** A node as a kubelet with {@code --cloud-provider=external} registers it. */
  private void register(String name, String ready) {
    cluster.create(
        Resources.NODES,
        "{'metadata':{'name':'%s'},'spec':{'taints':[{'key':'node.cloudprovider.kubernetes.io/uninitialized','value':'true','effect':'NoSchedule'}]},'status':{'addresses':[{'type':'Hostname','address':'%s'}],'conditions':[{'type':'Ready','status':'%s'}]}}"
            .formatted(name, name, ready));
    cluster.settle();
  }

  private void ready(String name, String status) {
    cluster.patchStatus(
        Resources.NODES,
        ObjectName.of(name),
        "{'status':{'conditions':[{'type':'Ready','status':'%s'}]}}".formatted(status));
    cluster.settle();
  }

  private boolean exists(String name) {
    return cluster.admin().get(Resources.NODES, ObjectName.of(name)).isDone();
  }

  private JsonObject node(String name) {
    return ((ApiResult.Done) cluster.admin().get(Resources.NODES, ObjectName.of(name))).object();
  }

  private List<String> taints(String name) {
    return node(name).object("spec").array("taints").objects().stream()
        .map(taint -> taint.text("key", ""))
        .filter(key -> key.contains("cloudprovider"))
        .toList();
  }

  private String addresses(String name) {
    return String.join(
        " ",
        node(name).object("status").array("addresses").objects().stream()
            .map(each -> each.text("type", "") + "=" + each.text("address", ""))
            .toList());
  }

  @Test
  void aNodeIsDescribedAsItsCloudKnowsIt() {
    cloud.has("n1");
    register("n1", "True");
    assertThat(taints("n1")).isEmpty();
    assertThat(node("n1").object("spec").text("providerID")).isEqualTo("sim://n1");
    assertThat(addresses("n1")).isEqualTo("InternalIP=192.0.2.1 Hostname=n1");
    JsonObject labels = node("n1").object("metadata").object("labels");
    for (String prefix : List.of("topology.kubernetes.io", "failure-domain.beta.kubernetes.io")) {
      assertThat(labels.text(prefix + "/zone")).isEqualTo("a");
      assertThat(labels.text(prefix + "/region")).isEqualTo("north");
    }
    for (String prefix : List.of("node.kubernetes.io", "beta.kubernetes.io")) {
      assertThat(labels.text(prefix + "/instance-type")).isEqualTo("large");
    }
    assertThat(labels.text("example.com/rack")).isEqualTo("r7");
    assertThat(cluster.events("n1", "Synced")).containsExactly("Node synced successfully");
    assertThat(cluster.metrics(CloudNodeController.ACCOUNT)).isNotEmpty();
  }

  @Test
  void aNodeWaitsForItsMachineToBeKnown() {
    cloud.isOutOfReach = true;
    register("n1", "True");
    cluster.advance(Duration.ofSeconds(30));
    assertThat(taints("n1")).hasSize(1);
    cloud.isOutOfReach = false;
    cluster.advance(Duration.ofSeconds(60));
    assertThat(taints("n1")).as("the cloud does not know it").hasSize(1);
    cloud.has("n1");
    cluster.advance(Duration.ofMinutes(17));
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void addressesFollowTheCloudEveryFiveMinutesAndLabelsDoNot() {
    cloud.has("n1");
    register("n1", "True");
    cloud.has("n1", false, "192.0.2.9");
    cluster.patch(
        Resources.NODES,
        ObjectName.of("n1"),
        "{'metadata':{'labels':{'topology.kubernetes.io/region':'south','x':'y'}}}");
    int before = cloud.questions;
    cluster.advance(Duration.ofSeconds(299));
    assertThat(addresses("n1")).isEqualTo("InternalIP=192.0.2.1 Hostname=n1");
    assertThat(cloud.questions - before).as("however often the node changes").isZero();
    cluster.advance(Duration.ofSeconds(2));
    assertThat(addresses("n1")).isEqualTo("InternalIP=192.0.2.9 Hostname=n1");
    assertThat(node("n1").object("metadata").object("labels").text("topology.kubernetes.io/region"))
        .as("what the older name of the label says")
        .isEqualTo("north");
  }

  @Test
  void aNodeGoesWithItsMachineOnceItIsNotReady() {
    cloud.has("n1");
    register("n1", "True");
    cloud.machines.clear();
    cluster.advance(Duration.ofMinutes(20));
    assertThat(exists("n1")).as("a node that is ready").isTrue();
    ready("n1", "Unknown");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(exists("n1")).isFalse();
    assertThat(cluster.events("n1", "DeletingNode"))
        .containsExactly("Deleting node n1 because it does not exist in the cloud provider");
  }

  @Test
  void nothingIsDeletedWhileTheCloudIsOutOfReach() {
    cloud.has("n1");
    register("n1", "True");
    cloud.machines.clear();
    cloud.isOutOfReach = true;
    ready("n1", "Unknown");
    cluster.advance(Duration.ofHours(1));
    assertThat(exists("n1")).isTrue();
    cloud.isOutOfReach = false;
    cluster.advance(Duration.ofSeconds(5));
    assertThat(exists("n1")).isFalse();
  }

  @Test
  void aStoppedMachineTaintsItsNodeUntilThatIsReadyAgain() {
    cloud.has("n1");
    register("n1", "True");
    cloud.has("n1", true, "192.0.2.1");
    ready("n1", "Unknown");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(taints("n1")).containsExactly("node.cloudprovider.kubernetes.io/shutdown");
    cloud.has("n1");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(taints("n1")).as("the machine runs, but the node is not ready").hasSize(1);
    ready("n1", "True");
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void theCloudIsAskedOnceInAPeriodHoweverOftenANodeChanges() {
    cloud.has("n1");
    register("n1", "True");
    ready("n1", "False");
    int before = cloud.questions;
    for (int i = 0; i < 100; i++) {
      cluster.patch(
          Resources.NODES, ObjectName.of("n1"), "{'metadata':{'labels':{'x':'%d'}}}".formatted(i));
      cluster.advance(Duration.ofMillis(100));
    }
    assertThat(cloud.questions - before).isBetween(2, 3);
  }
}
