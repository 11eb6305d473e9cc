package dev.berth.agent.topology;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationFile;
import dev.berth.agent.device.PodResources;
import dev.berth.agent.device.PodResourcesLister.ContainerDevices;
import dev.berth.agent.fixture.TestNode;
import dev.berth.agent.machine.MachineReader;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.metrics.MetricsText;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of two NUMA nodes with four processors each, of which 0 is reserved: 1 to 3 are of node 0,
 * 4 to 7 of node 1.
 */
class TopologyTest {
  private static final String THING = "example.com/thing";

  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void open() throws IOException {
    StringBuilder file =
        new StringBuilder("apiVersion: berth.dev/v1\nkind: MachineTopology\nnodes:\n");
    for (int numa = 0; numa < 2; numa++) {
      file.append("- id: %d\n  memory: 2Gi\n  distances: [10, 20]\n  cpus:\n".formatted(numa));
      for (int cpu = numa * 4; cpu < numa * 4 + 4; cpu++) {
        file.append("  - {id: %d, core: %d, socket: %d}\n".formatted(cpu, cpu, numa));
      }
    }
    Files.writeString(root.resolve("topology.yaml"), file);
    node = new TestNode(root);
    node.allocatable("8", "4Gi");
  }

  @AfterEach
  void close() {
    node.close();
  }

  private ManagerPlan plan(String fields) {
    AgentSettings usual = AgentSettings.of("n1", root);
    AgentSettings settings =
        KubeletConfigurationFile.read(
            Optional.empty(),
            Optional.empty(),
            tree("{'systemReserved':{'cpu':'1','memory':'1Gi'}," + fields + "}"),
            usual.with(
                usual
                    .pods()
                    .with(
                        usual
                            .pods()
                            .managers()
                            .withTopologyFile(Optional.of(root.resolve("topology.yaml"))))),
            warning -> {
              throw new AssertionError(warning);
            });
    return ManagerPlan.of(settings, MachineReader.ofThisMachine());
  }

  private void start(String fields) {
    node.managing(plan(fields)).start();
  }

  private static String guaranteed(String cpus, String further) {
    String amounts = "{'cpu':'%s','memory':'64Mi'%s}".formatted(cpus, further);
    return "{'containers':[{'name':'c','image':'i','resources':{'limits':%s,'requests':%s}}]}"
        .formatted(amounts, amounts);
  }

  private static String guaranteed(String cpus) {
    return guaranteed(cpus, "");
  }

  private String cpus(String pod) {
    return node.runtime().cpus(pod, "c");
  }

  @Test
  void wholeProcessorsAreTheContainersAloneAndOthersMoveOutOfTheWay() {
    start("'cpuManagerPolicy':'static'");
    node.pod("shared");
    assertThat(cpus("shared")).isEqualTo("0-7");
    node.pod("own", guaranteed("2"));
    assertThat(cpus("own")).isEqualTo("1-2");
    assertThat(cpus("shared")).isEqualTo("0,3-7");
    assertThat(node.runtime().spec("own", "c").limits().cpuQuota()).isEmpty();
    assertThat(node.runtime().sandboxSpec("own").limits().cpuQuota()).isEmpty();
    node.pod("part", guaranteed("1500m"));
    assertThat(cpus("part")).isEqualTo("0,3-7");

    node.delete("own", 0);
    node.advanceSeconds(1);
    assertThat(cpus("shared")).isEqualTo("0-7");
    assertThat(cpus("part")).isEqualTo("0-7");
  }

  @Test
  void whatAContainerHasOutlivesAgents() throws IOException {
    start("'cpuManagerPolicy':'static'");
    node.pod("own", guaranteed("2"));
    node.pod("shared");
    String uid = node.get("own").object("metadata").text("uid", "");
    assertThat(root.resolve("cpu_manager_state"))
        .content()
        .contains("\"policyName\":\"static\"")
        .contains("\"defaultCpuSet\":\"0,3-7\"")
        .contains("{\"" + uid + "\":{\"c\":\"1-2\"}}");
    node.start();
    node.pod("other", guaranteed("2"));
    assertThat(cpus("other")).isEqualTo("3-4");
    assertThat(cpus("own")).isEqualTo("1-2");
    assertThat(cpus("shared")).isEqualTo("0,5-7");

    node.stop();
    node.delete("other", 0);
    node.start();
    node.advanceSeconds(1);
    assertThat(cpus("shared")).isEqualTo("0,3-7");
  }

  @Test
  void stateOfAnotherPolicyOrMachineIsRefused() throws IOException {
    start("'cpuManagerPolicy':'static'");
    node.pod("own", guaranteed("2"));
    node.stop();
    assertThatThrownBy(() -> ResourceManagers.check(root, ManagerPlan.NONE))
        .hasMessage(
            "could not restore state from checkpoint: configured policy \"none\" differs from state"
                + " checkpoint policy \"static\", please drain this node and delete the CPU manager"
                + " checkpoint file \""
                + root.resolve("cpu_manager_state")
                + "\" before restarting");
    Path file = root.resolve("topology.yaml");
    Files.writeString(
        file, Files.readString(file).replace("  - {id: 7, core: 7, socket: 1}\n", ""));
    ManagerPlan smaller = plan("'cpuManagerPolicy':'static'");
    assertThatThrownBy(() -> ResourceManagers.check(root, smaller))
        .hasMessageContaining(
            "current set of available CPUs \"0-6\" doesn't match with CPUs in state \"0-7\"");
    Files.writeString(root.resolve("cpu_manager_state"), "{");
    assertThatThrownBy(() -> ResourceManagers.check(root, smaller))
        .hasMessageContaining("checkpoint is corrupted");
  }

  @Test
  void aPodThatDoesNotFitOnOneNodeIsRefused() {
    start("'cpuManagerPolicy':'static','topologyManagerPolicy':'single-numa-node'");
    node.pod("fits", guaranteed("3"));
    assertThat(cpus("fits")).isEqualTo("1-3");
    node.pod("second", guaranteed("3"));
    assertThat(cpus("second")).isEqualTo("4-6");
    node.pod("third", guaranteed("2"));
    assertThat(node.phase("third")).isEqualTo("Failed");
    assertThat(node.status("third").text("reason", "")).isEqualTo("TopologyAffinityError");
    assertThat(node.status("third").text("message", ""))
        .isEqualTo("Pod was rejected: Resources cannot be allocated with Topology locality");
    assertThat(node.events("third")).anyMatch(event -> event.startsWith("TopologyAffinityError: "));
    String metrics = node.metrics().text(MetricsText.Format.PROMETHEUS);
    assertThat(metrics)
        .contains("kubelet_topology_manager_admission_requests_total 3")
        .contains("kubelet_topology_manager_admission_errors_total 1")
        .contains("kubelet_cpu_manager_exclusive_cpu_allocation_count 6")
        .contains("kubelet_cpu_manager_shared_pool_size_millicores 1000")
        .contains("kubelet_cpu_manager_pinning_requests_total 2")
        .contains("numa_node=\"1\"} 3")
        .contains("resource_manager_allocations_total{resource_name=\"cpu\",source=\"node\"} 2")
        .contains(
            "resource_manager_container_assignments{resource_name=\"cpu\","
                + "assignment_type=\"node_exclusive\"} 2");
    node.pod("shared");
    assertThat(cpus("shared")).isEqualTo("0,7");
  }

  @Test
  void devicesProcessorsAndMemoryAreOfOneNode() throws IOException {
    node.managing(
            plan(
                "'cpuManagerPolicy':'static','memoryManagerPolicy':'Static','evictionHard':{'memory.available':'0%'},"
                    + "'reservedMemory':[{'numaNode':0,'limits':{'memory':'1Gi'}}],"
                    + "'topologyManagerPolicy':'restricted'"))
        .start();
    node.plugins().of(THING).hasNear("a", 1).hasNear("b", 1).hasNear("c", 0);
    assertThat(node.register(THING)).isEmpty();
    node.advanceSeconds(1);
    node.allocatable("8", "4Gi", THING, "3");

    node.pod("near", guaranteed("2", ",'example.com/thing':'2'"));
    assertThat(cpus("near")).isEqualTo("4-5");
    assertThat(node.runtime().spec("near", "c").limits().mems()).isEqualTo("1");
    ContainerDevices has =
        new PodResources(node.agent()::pods, node.devices(), node.resources())
            .get("default", "near")
            .orElseThrow()
            .containers()
            .getFirst();
    assertThat(has.owned().cpus()).containsExactly(4, 5);
    assertThat(has.owned().devices())
        .extracting(each -> each.device().id())
        .containsExactly("a", "b");
    assertThat(has.owned().memory())
        .singleElement()
        .satisfies(memory -> {
          assertThat(memory.bytes()).isEqualTo(64L << 20);
          assertThat(memory.numaNodes()).containsExactly(1);
        });
    assertThat(root.resolve("memory_manager_state")).content().contains("\"numaAffinity\":[1]");

    // Nodes 0 and 1 have one device together, but no node has three processors and it.
    node.pod("apart", guaranteed("4", ",'example.com/thing':'1'"));
    assertThat(node.status("apart").text("reason", "")).isEqualTo("TopologyAffinityError");
    node.pod("other", guaranteed("3", ",'example.com/thing':'1'"));
    assertThat(cpus("other")).isEqualTo("1-3");
    assertThat(node.resources().allocatableCpus()).containsExactly(1, 2, 3, 4, 5, 6, 7);
    assertThat(node.resources().allocatableMemory()).hasSize(2);
  }

  @Test
  void allContainersOfAPodAreOnOneNodeIfThatIsTheScope() {
    String two = "{'containers':[%s,%s]}".formatted(container("a", 2), container("b", 2));
    start("'cpuManagerPolicy':'static','topologyManagerPolicy':'single-numa-node'");
    node.pod("apart", two);
    assertThat(node.runtime().cpus("apart", "a")).isEqualTo("1-2");
    assertThat(node.runtime().cpus("apart", "b")).isEqualTo("4-5");
    node.delete("apart", 0);
    node.advanceSeconds(1);
    start(
        "'cpuManagerPolicy':'static','topologyManagerPolicy':'single-numa-node','topologyManagerScope':'pod'");
    node.pod("together", two);
    assertThat(node.runtime().cpus("together", "a")).isEqualTo("4-5");
    assertThat(node.runtime().cpus("together", "b")).isEqualTo("6-7");
  }

  private static String container(String name, int cpus) {
    String amounts = "{'cpu':'%d','memory':'64Mi'}".formatted(cpus);
    return "{'name':'%s','image':'i','resources':{'limits':%s,'requests':%s}}"
        .formatted(name, amounts, amounts);
  }

  @Test
  void aPodGetsAllOrNothing() {
    start("'cpuManagerPolicy':'static','topologyManagerPolicy':'best-effort'");
    node.plugins().of(THING).has("a").fails("it is broken", "");
    node.register(THING);
    node.advanceSeconds(1);
    node.allocatable("8", "4Gi", THING, "1");
    node.pod(
        "broken",
        "{'containers':[%s,%s]}"
            .formatted(
                container("a", 2),
                container("b", 1)
                    .replace("'memory':'64Mi'", "'memory':'64Mi','example.com/thing':'1'")));
    assertThat(node.status("broken").text("reason", "")).isEqualTo("UnexpectedAdmissionError");
    assertThat(node.status("broken").text("message", "")).contains("it is broken");
    node.pod("shared");
    assertThat(cpus("shared")).isEqualTo("0-7");
  }

  @Test
  void wholeCoresAreAskedForOrThePodIsRefused() throws IOException {
    Path file = root.resolve("topology.yaml");
    String smt = Files.readString(file);
    for (int cpu : new int[] {1, 3, 5, 7}) {
      smt = smt.replace("core: " + cpu, "core: " + (cpu - 1));
    }
    Files.writeString(file, smt);
    start("'cpuManagerPolicy':'static','cpuManagerPolicyOptions':{'full-pcpus-only':'true'}");
    node.pod("odd", guaranteed("1"));
    assertThat(node.status("odd").text("reason", "")).isEqualTo("SMTAlignmentError");
    assertThat(node.status("odd").text("message", ""))
        .contains("SMT Alignment Error: requested 1 cpus not multiple cpus per core = 2");
    node.pod("even", guaranteed("2"));
    assertThat(cpus("even")).isEqualTo("2-3");
  }

  @Test
  void aPodWithProcessorsOfItsOwnCannotBeResized() {
    start("'cpuManagerPolicy':'static'");
    node.pod("own", guaranteed("2"));
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.PODS, new ObjectName("default", "own")).subresource("resize"),
                PatchType.STRATEGIC,
                JsonObject.of("spec", tree(guaranteed("3")))));
    node.settle();
    assertThat(node.status("own").array("conditions").toString())
        .contains(
            "Resize is infeasible for Guaranteed Pods alongside CPU Manager policy \\\"static\\\"");
    assertThat(cpus("own")).isEqualTo("1-2");
  }

  @Test
  void settingsThatDoNotFitTheMachineAreRefused() {
    assertThatThrownBy(() -> plan("'reservedSystemCPUs':'0,9'"))
        .hasMessage("reserved-cpus: 0,9 is not a subset of online-cpus: 0-7");
    assertThatThrownBy(() -> plan("'memoryManagerPolicy':'Static'"))
        .hasMessageContaining("is not equal to the value");
    assertThat(plan("'cpuManagerPolicy':'static','reservedSystemCPUs':'3,7'").cpus())
        .hasValueSatisfying(cpus -> assertThat(cpus.allocatable()).hasToString("0-2,4-6"));
  }
}
