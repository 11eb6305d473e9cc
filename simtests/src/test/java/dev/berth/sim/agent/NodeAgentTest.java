package dev.berth.sim.agent;

import static dev.berth.sim.VirtualCluster.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.NodeFiles;
import dev.berth.agent.join.ServingTrust;
import dev.berth.agent.node.NodeAgent;
import dev.berth.client.Resources;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.NodeCredentialFile;
import dev.berth.pki.ServerNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine becomes a node, stays one, and says how it is. */
class NodeAgentTest {
  private static final ObjectName NODE = ObjectName.of(NodeFixture.NAME);

  @TempDir Path folder;

  private NodeFixture node;

  @BeforeEach
  void open() {
    node = new NodeFixture(folder);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private static AgentSettings.Node with(
      AgentSettings.Node before,
      Map<String, String> labels,
      List<Taint> taints,
      List<String> ips,
      boolean registers,
      Optional<Path> resources) {
    return new AgentSettings.Node(
        before.name(),
        before.hostname(),
        labels,
        taints,
        ips,
        registers,
        before.hasCloudProvider(),
        before.providerId(),
        before.controllerAttaches(),
        before.mostImages(),
        resources);
  }

  private void labels(Map<String, String> labels, Taint... taints) {
    node.node(before -> with(before, labels, List.of(taints), List.of(), true, Optional.empty()));
  }

  @Test
  void registersWithAllThatTheMachineIs() {
    labels(Map.of("tier", "front"), Taint.of("dedicated", "db", TaintEffect.NO_SCHEDULE));
    NodeAgent agent = node.start();

    JsonObject shown = node.shown();
    assertThat(Metadata.of(shown).labels().toStrings())
        .containsEntry("kubernetes.io/hostname", "n1")
        .containsEntry("kubernetes.io/os", "linux")
        .containsEntry("kubernetes.io/arch", "amd64")
        .containsEntry("tier", "front");
    assertThat(Metadata.of(shown).annotations().toStrings())
        .containsEntry("volumes.kubernetes.io/controller-managed-attach-detach", "true");
    assertThat(shown.object("spec").array("taints").objects())
        .anyMatch(taint -> taint.text("key", "").equals("dedicated"));
    JsonObject status = shown.object("status");
    assertThat(status.object("capacity").toStrings())
        .containsEntry("cpu", "2")
        .containsEntry("memory", "8052816Ki")
        .containsEntry("pods", "110")
        .containsEntry("hugepages-2Mi", "32Mi")
        .containsEntry("hugepages-1Gi", "0")
        .containsKey("ephemeral-storage");
    assertThat(status.object("allocatable").text("memory")).isEqualTo("7917648Ki");
    assertThat(status.array("addresses").objects())
        .containsExactly(
            tree("{'type':'InternalIP','address':'192.0.2.2'}"),
            tree("{'type':'InternalIP','address':'2001:db8::2'}"),
            tree("{'type':'Hostname','address':'n1'}"));
    assertThat(status.object("nodeInfo").toStrings())
        .containsEntry("machineID", "3d1219c7c4c5404aaa1f6d2a48adfda4")
        .containsEntry("bootID", "boot-1")
        .containsEntry("kernelVersion", "6.18.0")
        .containsEntry("osImage", "Debian GNU/Linux 12 (bookworm)")
        .containsEntry("architecture", "amd64");
    assertThat(status.object("nodeInfo").object("swap").integer("capacity"))
        .hasValue(524_288L * 1024);
    assertThat(status.object("daemonEndpoints").object("kubeletEndpoint").integer("Port"))
        .hasValue(10250);
    assertThat(Conditions.isTrue(status.array("conditions"), "Ready")).isTrue();
    assertThat(node.events())
        .contains("Starting", "NodeHasSufficientMemory", "NodeHasNoDiskPressure");
    assertThat(agent.addresses()).containsExactly("192.0.2.2", "2001:db8::2");
    assertThat(agent.node()).contains(shown);
  }

  /** Row N9. */
  @Test
  void aNodeOfACloudWaitsForItAndLeavesAddressesToIt() {
    cloud(List.of());
    node.start();
    assertThat(node.shown().object("spec").array("taints").objects())
        .contains(
            tree(
                "{'key':'node.cloudprovider.kubernetes.io/uninitialized','value':'true','effect':'NoSchedule'}"));
    assertThat(addresses()).containsExactly(tree("{'type':'Hostname','address':'n1'}"));

    node.cluster.patchStatus(
        Resources.NODES,
        NODE,
        "{'status':{'addresses':[{'type':'ExternalIP','address':'198.51.100.1'}]}}");
    node.cluster.advance(Duration.ofMinutes(6));
    assertThat(addresses()).containsExactly(tree("{'type':'ExternalIP','address':'198.51.100.1'}"));
  }

  @Test
  void aNodeOfACloudSaysWhichAddressItWasTold() {
    cloud(List.of("192.0.2.2"));
    node.start();
    assertThat(Metadata.of(node.shown()).annotations().toStrings())
        .containsEntry("alpha.kubernetes.io/provided-node-ip", "192.0.2.2");
    assertThat(addresses())
        .containsExactly(
            tree("{'type':'InternalIP','address':'192.0.2.2'}"),
            tree("{'type':'Hostname','address':'n1'}"));
  }

  private void cloud(List<String> ips) {
    node.node(before ->
        new AgentSettings.Node(
            before.name(),
            before.hostname(),
            before.labels(),
            before.taints(),
            ips,
            before.registers(),
            true,
            before.providerId(),
            before.controllerAttaches(),
            before.mostImages(),
            before.extendedResources()));
  }

  private List<JsonObject> addresses() {
    return node.shown().object("status").array("addresses").objects();
  }

  @Test
  void theLeaseBelongsToItsNode() {
    node.start();
    JsonObject lease = node.lease();
    assertThat(lease.object("spec").text("holderIdentity")).isEqualTo("n1");
    assertThat(lease.object("spec").integer("leaseDurationSeconds")).hasValue(40);
    assertThat(Metadata.of(lease).ownerReferences().getFirst().uid())
        .isEqualTo(Metadata.of(node.shown()).uid());
  }

  @Test
  void labelsAndTaintsOfFlagsAreForTheRegistrationOnly() {
    labels(Map.of("tier", "front"), Taint.of("a", TaintEffect.NO_SCHEDULE));
    node.start();
    node.cluster.patch(
        Resources.NODES,
        NODE,
        "{'metadata':{'labels':{'tier':'back','kubernetes.io/hostname':'wrong'}},'spec':{'taints':null}}");
    labels(Map.of("tier", "front", "new", "one"), Taint.of("b", TaintEffect.NO_SCHEDULE));
    node.start();

    assertThat(Metadata.of(node.shown()).labels().toStrings())
        .containsEntry("tier", "back")
        .containsEntry("kubernetes.io/hostname", "n1")
        .doesNotContainKey("new");
    assertThat(node.shown().object("spec").array("taints").objects())
        .noneMatch(taint -> taint.text("key", "").equals("b"));
  }

  @Test
  void aNodeThatMayNotRegisterWaitsForSomebodyElseToMakeIt() {
    node.node(before -> with(before, Map.of(), List.of(), List.of(), false, Optional.empty()));
    node.start();
    node.cluster.advance(Duration.ofMinutes(1));
    assertThat(node.find(Resources.NODES, NODE)).isEmpty();

    node.cluster.create(Resources.NODES, "{'metadata':{'name':'n1'}}");
    node.cluster.settle();
    assertThat(node.shown().object("status").object("capacity").text("cpu")).isEqualTo("2");
    assertThat(node.lease().object("spec").text("holderIdentity")).isEqualTo("n1");
  }

  @Test
  void aNodeThatWasDeletedByHandRegistersAgain() {
    node.start();
    String before = Metadata.of(node.shown()).uid();
    node.cluster.delete(Resources.NODES, NODE);
    node.cluster.settle();

    String after = Metadata.of(node.shown()).uid();
    assertThat(after).isNotEqualTo(before);
    node.cluster.advance(Duration.ofSeconds(11));
    assertThat(Metadata.of(node.lease()).ownerReferences().getFirst().uid()).isEqualTo(after);
  }

  @Test
  void aServerThatIsAwayIsAskedAgainAndAgain() {
    node.down(true);
    node.start();
    node.cluster.advance(Duration.ofMinutes(2));
    assertThat(node.find(Resources.NODES, NODE)).isEmpty();
    node.down(false);
    node.cluster.advance(Duration.ofSeconds(7));
    assertThat(node.find(Resources.NODES, NODE)).isPresent();
  }

  /** Its taints decide which pods it lets in. */
  @Test
  void aNodeWhoseWatchFailedIsBehindUntilItIsReadAgain() {
    NodeAgent agent = node.start();
    node.cluster.advance(Duration.ofSeconds(1));
    assertThat(agent.isCurrent()).isTrue();
    List<String> recoveries = new ArrayList<>();
    agent.onRecovery(() -> recoveries.add("taints " + taints(agent)));

    node.cut(true);
    node.cluster.advance(Duration.ofSeconds(2));
    assertThat(agent.isCurrent()).isFalse();
    node.cluster.patch(
        Resources.NODES, NODE, "{'spec':{'taints':[{'key':'a','effect':'NoExecute'}]}}");
    node.cut(false);
    node.cluster.advance(Duration.ofSeconds(2));

    assertThat(agent.isCurrent()).isTrue();
    assertThat(recoveries).first().isEqualTo("taints [a]");
  }

  private static List<String> taints(NodeAgent agent) {
    return agent.node().orElseThrow().object("spec").array("taints").objects().stream()
        .map(taint -> taint.text("key", ""))
        .toList();
  }

  @Test
  void theLeaseIsRenewedFourTimesInItsDuration() {
    node.start();
    node.cluster.advance(Duration.ofMinutes(10));
    List<Duration> renewals = node.writes("leases", "");
    assertThat(renewals).hasSizeBetween(58, 61);
    for (int i = 2; i < renewals.size(); i++) {
      assertThat(renewals.get(i).minus(renewals.get(i - 1)))
          .isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_400));
    }
  }

  @Test
  void aLeaseThatCannotBeRenewedIsTriedAgainWithBackOff() {
    node.start();
    node.cluster.advance(Duration.ofSeconds(1));
    int before = node.writes("leases", "").size();
    node.down(true);
    node.cluster.advance(Duration.ofSeconds(19));
    List<Duration> tries = node.writes("leases", "");
    List<Long> gaps = new ArrayList<>();
    for (int i = before + 1; i < tries.size(); i++) {
      gaps.add(tries.get(i).minus(tries.get(i - 1)).toMillis());
    }
    assertThat(gaps.subList(0, 5)).containsExactly(200L, 400L, 800L, 1600L, 3200L);
    node.down(false);
    node.cluster.advance(Duration.ofSeconds(8));
    assertThat(node.lease().object("spec").text("renewTime", ""))
        .isGreaterThan("2030-01-01T00:00:20");
  }

  @Test
  void anUnchangedStatusIsReportedAboutEveryFiveMinutes() {
    node.start();
    node.cluster.advance(Duration.ofSeconds(149));
    assertThat(node.writes("nodes", "status")).isEmpty();
    node.cluster.advance(Duration.ofSeconds(311));
    assertThat(node.writes("nodes", "status")).hasSize(1);
    Duration first = node.writes("nodes", "status").getFirst();
    assertThat(first).isBetween(Duration.ofSeconds(150), Duration.ofSeconds(460));
    node.cluster.advance(Duration.ofMinutes(20));
    List<Duration> all = node.writes("nodes", "status");
    assertThat(all.get(2).minus(all.get(1))).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void aChangeIsReportedAtTheNextLook() {
    node.start();
    node.cluster.advance(Duration.ofSeconds(15));
    node.report("container runtime is down");
    node.cluster.advance(Duration.ofSeconds(4));
    assertThat(node.writes("nodes", "status")).isEmpty();
    node.cluster.advance(Duration.ofSeconds(1));
    JsonObject ready =
        Conditions.find(node.shown().object("status").array("conditions"), "Ready").orElseThrow();
    assertThat(ready.text("status")).isEqualTo("False");
    assertThat(ready.text("reason")).isEqualTo("KubeletNotReady");
    assertThat(ready.text("message")).isEqualTo("container runtime is down");
    assertThat(ready.text("lastTransitionTime")).isEqualTo("2030-01-01T00:00:20Z");
    assertThat(node.events()).contains("NodeNotReady");

    node.report();
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(node.events()).contains("NodeReady");
  }

  @Test
  void aRefreshReportsAtOnce() {
    NodeAgent agent = node.start();
    node.underPressure("MemoryPressure");
    agent.refresh();
    node.cluster.settle();
    assertThat(
            Conditions.isTrue(node.shown().object("status").array("conditions"), "MemoryPressure"))
        .isTrue();
    assertThat(agent.pressures()).containsExactly("MemoryPressure");
  }

  @Test
  void othersConditionsAndResourcesStay() {
    node.start();
    node.cluster.patchStatus(
        Resources.NODES,
        NODE,
        "{'status':{'capacity':{'example.com/dongle':'3'},'conditions':[{'type':'NetworkUnavailable','status':'False','reason':'RouteCreated'}]}}");
    node.report("broken");
    node.cluster.advance(Duration.ofSeconds(10));
    JsonObject status = node.shown().object("status");
    assertThat(status.object("capacity").text("example.com/dongle")).isEqualTo("3");
    assertThat(status.object("allocatable").text("example.com/dongle")).isEqualTo("3");
    assertThat(Conditions.find(status.array("conditions"), "NetworkUnavailable")).isPresent();
  }

  @Test
  void extendedResourcesFollowTheirFile() throws IOException {
    Path file = folder.resolve("resources.yaml");
    Files.writeString(file, "example.com/fpga: 4\n");
    node.node(before -> with(before, Map.of(), List.of(), List.of(), true, Optional.of(file)));
    node.start();
    assertThat(node.shown().object("status").object("allocatable").text("example.com/fpga"))
        .isEqualTo("4");

    Files.writeString(file, "example.com/license: 25\n");
    node.cluster.advance(Duration.ofSeconds(10));
    JsonObject capacity = node.shown().object("status").object("capacity");
    assertThat(capacity.text("example.com/license")).isEqualTo("25");
    assertThat(capacity.has("example.com/fpga")).isFalse();

    Files.writeString(file, "fpga: 4\n");
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(
            Conditions.find(node.shown().object("status").array("conditions"), "Ready")
                .orElseThrow()
                .text("message", ""))
        .contains("fpga: an extended resource has a domain of its own");
  }

  @Test
  void aMachineThatWasStartedAnewSaysSo() {
    node.start();
    node.cluster.advance(Duration.ofSeconds(1));
    node.machine.boot("boot-2");
    node.start();
    assertThat(node.events()).contains("Rebooted");
    assertThat(node.shown().object("status").object("nodeInfo").text("bootID")).isEqualTo("boot-2");
  }

  @Test
  void anotherMachineIsRefusedWhileTheNodeLives() {
    node.start();
    node.cluster.advance(Duration.ofMinutes(3));
    node.startOther("another");
    assertThat(node.refusals).hasSize(1);
    assertThat(node.refusals.getFirst())
        .startsWith("the node \"n1\" is alive on another machine (machine id 3d12");
    assertThat(node.shown().object("status").object("nodeInfo").text("machineID"))
        .startsWith("3d12");

    // Once the first is gone for longer than its lease, the other one is the node.
    node.cluster.crash("agent");
    node.cluster.advance(Duration.ofSeconds(60));
    assertThat(node.shown().object("status").object("nodeInfo").text("machineID"))
        .isEqualTo("another");
  }

  @Test
  void aSecondAgentOfTheMachineIsRefusedWhileTheNodeLives() {
    node.start();
    node.cluster.advance(Duration.ofMinutes(3));
    Path directory = folder.resolve("second");
    node.startSecond(directory);
    assertThat(node.refusals).hasSize(1);
    assertThat(node.refusals.getFirst())
        .startsWith("the node \"n1\" is alive on this machine already (with the data directory ")
        .contains("this agent has " + directory);

    node.cluster.crash("agent");
    node.cluster.advance(Duration.ofSeconds(60));
    assertThat(Metadata.of(node.shown()).annotation("berth.dev/agent-directory"))
        .contains(directory.toString());
  }

  @Test
  void theNodeSaysWhatItsAddressesAreIfItIsTold() {
    node.node(before ->
        with(before, Map.of(), List.of(), List.of("2001:db8::2"), true, Optional.empty()));
    node.start();
    assertThat(node.shown().object("status").array("addresses").objects())
        .containsExactly(
            tree("{'type':'InternalIP','address':'2001:db8::2'}"),
            tree("{'type':'Hostname','address':'n1'}"));

    node.node(
        before -> with(before, Map.of(), List.of(), List.of("192.0.2.99"), true, Optional.empty()));
    node.start();
    assertThat(
            Conditions.find(node.shown().object("status").array("conditions"), "Ready")
                .orElseThrow()
                .text("message"))
        .isEqualTo("node IP: \"192.0.2.99\" not found in the host's network interfaces");
  }

  @Test
  void aNodeDeclaresWhatAServerAsksForBeforeItLetsPodsUseIt() {
    node.start();
    assertThat(node.shown().object("status").array("declaredFeatures").texts())
        .containsExactly(
            "InPlacePodLevelResourcesVerticalScaling",
            "InPlacePodVerticalScalingInitContainers",
            "RestartAllContainersOnContainerExits");
  }

  @Test
  void cordoningIsAnEvent() {
    node.start();
    node.cluster.patch(Resources.NODES, NODE, "{'spec':{'unschedulable':true}}");
    node.cluster.settle();
    assertThat(node.events()).contains("NodeNotSchedulable");
  }

  /** Nobody should wait for a certificate that the last start has kept. */
  @Test
  void aNodeThatIsStartedAgainIsReadyAtOnce() {
    NodeCredentialFile file = new NodeFiles(folder).credential(CertificatePurpose.SERVING);
    Instant now = node.cluster.time().now();
    ServingTrust first = ServingTrust.signedByCluster(node.cluster.time(), file);
    node.report(() -> first.problem().stream().toList());
    NodeAgent agent = node.start();
    assertThat(isReady()).isFalse();

    Credential signed = ClusterCa.inMemory(now).server(ServerNames.of(List.of("n1")), now);
    file.write(new NodeCredential(List.of(signed.certificate()), signed.key()), now);
    first.signed();
    agent.refresh();
    node.cluster.settle();
    assertThat(isReady()).isTrue();

    ServingTrust second = ServingTrust.signedByCluster(node.cluster.time(), file);
    node.report(() -> second.problem().stream().toList());
    node.start();
    node.cluster.settle();
    assertThat(isReady()).isTrue();
    assertThat(node.events()).doesNotContain("NodeNotReady");
  }

  @Test
  void aClusterThatSignsNothingMakesANodeWaitOnlyForAWhile() {
    ServingTrust trust =
        ServingTrust.signedByCluster(
            node.cluster.time(), new NodeFiles(folder).credential(CertificatePurpose.SERVING));
    node.report(() -> trust.problem().stream().toList());
    node.start();
    assertThat(isReady()).isFalse();
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(isReady()).isTrue();
  }

  private boolean isReady() {
    return Conditions.isTrue(node.shown().object("status").array("conditions"), "Ready");
  }
}
