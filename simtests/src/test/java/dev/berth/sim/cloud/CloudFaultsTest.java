package dev.berth.sim.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.controllers.cloudnode.CloudNodeController;
import dev.berth.controllers.cloudnodelifecycle.CloudNodeLifecycleController;
import dev.berth.model.core.CloudNodeView;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cloud.Machine;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Controllers that crash, a server that fails, a cloud that is out of reach, machines that come,
 * stop and go: no node is deleted whose machine was always there, and in the end each node is as
 * its cloud knows it.
 */
class CloudFaultsTest {
  private static final int NODES = 8;

  @SeededTest(fixed = 20, fresh = 10)
  void nodesFollowTheirMachinesWhateverFails(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final SimulatedCloud cloud = new SimulatedCloud();

    /** Nodes whose machines were there whenever the cloud could be asked. */
    private final Set<String> kept = new HashSet<>();

    Run(long seed) {
      super(seed, 100, Duration.ofMinutes(30));
      CloudSettings settings = CloudSettings.of(cloud);
      cluster.run(
          "cloud-node",
          () -> CloudNodeController.start(parts(CloudNodeController.ACCOUNT), settings));
      cluster.run(
          "cloud-node-lifecycle",
          () ->
              CloudNodeLifecycleController.start(
                  parts(CloudNodeLifecycleController.ACCOUNT), settings));
      step(3, "register a node", this::register);
      step(2, "a node changes", () -> anyNode(this::changeReady));
      step(2, "a machine stops or starts", () -> machine(random.nextBoolean()));
      step(1, "a machine goes", this::removeMachine);
      step(1, "the cloud is lost or back", () -> cloud.isOutOfReach = random.nextBoolean());
      crashes(1, "cloud-node");
      crashes(1, "cloud-node-lifecycle");
      passes(3, Duration.ofSeconds(10));
      passes(1, Duration.ofMinutes(6));
    }

    private String anyName() {
      return "n" + random.nextInt(NODES);
    }

    private void register() {
      String name = anyName();
      if (cluster.admin().get(Resources.NODES, ObjectName.of(name)).isDone()) {
        return;
      }
      if (random.nextInt(4) > 0) {
        cloud.has(name);
        kept.add(name);
      }
      cluster.create(
          Resources.NODES,
          "{'metadata':{'name':'%s'},'spec':{'taints':[{'key':'node.cloudprovider.kubernetes.io/uninitialized','value':'true','effect':'NoSchedule'}]}}"
              .formatted(name));
    }

    private void changeReady(ObjectName node) {
      cluster.patchStatus(
          Resources.NODES,
          node,
          "{'status':{'conditions':[{'type':'Ready','status':'%s'}]}}"
              .formatted(random.nextBoolean() ? "True" : "Unknown"));
    }

    private void machine(boolean isStopped) {
      String name = anyName();
      if (cloud.machines.containsKey(name)) {
        cloud.has(name, isStopped, "192.0.2." + (1 + random.nextInt(9)));
      }
    }

    private void removeMachine() {
      String name = anyName();
      cloud.machines.remove(name);
      kept.remove(name);
    }

    private void anyNode(Consumer<ObjectName> action) {
      any(cluster.list(Resources.NODES)).map(ObjectName::of).ifPresent(action);
    }

    @Override
    protected void checkInvariant() {
      Set<String> names = new HashSet<>();
      for (JsonObject node : cluster.list(Resources.NODES)) {
        names.add(Metadata.of(node).name());
        if (!CloudNodeView.read(node).isUninitialized()) {
          assertThat(CloudNodeView.read(node).providerId())
              .as("an initialized node has an id")
              .isNotEmpty();
        }
      }
      assertThat(names).as("nodes whose machines were always there").containsAll(kept);
    }

    @Override
    protected void calmDown() {
      cloud.isOutOfReach = false;
    }

    @Override
    protected void checkEnd() {
      for (JsonObject node : cluster.list(Resources.NODES)) {
        String name = Metadata.of(node).name();
        Machine machine = cloud.machines.get(name);
        boolean isReady = NodeView.read(node).ready();
        assertThat(machine != null || isReady).as("%s is there or ready", name).isTrue();
        if (machine == null) {
          continue;
        }
        assertThat(CloudNodeView.read(node).isUninitialized()).as("%s waits", name).isFalse();
        assertThat(node.object("status").array("addresses").objects().getFirst().text("address"))
            .isEqualTo(machine.addresses().getFirst().address());
        boolean isTainted =
            NodeView.read(node).taints().stream()
                .anyMatch(taint -> taint.key().equals("node.cloudprovider.kubernetes.io/shutdown"));
        if (isReady) {
          assertThat(isTainted).as("%s is ready", name).isFalse();
        } else if (machine.isStopped()) {
          assertThat(isTainted).as("the machine of %s is stopped", name).isTrue();
        }
      }
    }
  }
}
