package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cloud's controllers as a user sees them: in {@code berth up}, and alone with few rights. */
class CloudControllersTest {
  @TempDir private Path folder = Path.of("");

  private Path machines() {
    return folder.resolve("machines.yaml");
  }

  /** Puts another list in the place of the one that there is, at once. */
  private Path write(String... machines) throws IOException {
    Path next =
        Files.writeString(
            folder.resolve("next.yaml"),
            """
            apiVersion: cloud.berth.dev/v1
            kind: MachineList
            machines: [%s]
            """
                .formatted(String.join(", ", machines)));
    return Files.move(next, machines(), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String machine(String name, String state) {
    return "{name: %s, state: %s, instanceType: large, zone: a, region: north, addresses: [{type: InternalIP, address: 192.0.2.7}]}"
        .formatted(name, state);
  }

  /** A node as a kubelet with --cloud-provider=external registers it, that is never ready. */
  private void register(BerthProcess berth, String name) throws IOException {
    Path node =
        Files.writeString(
            folder.resolve("node.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            spec:
              taints: [{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}]
            """
                .formatted(name));
    assertThat(berth.said("create", "-f", node.toString())).contains("created");
  }

  private static void await(BerthProcess berth, String node, String condition) throws IOException {
    berth.await(condition, "node/" + node);
  }

  private static void isInitialized(BerthProcess berth, String node) throws IOException {
    await(berth, node, "jsonpath={.spec.providerID}=file://" + node);
    await(berth, node, "jsonpath={.status.addresses[0].address}=192.0.2.7");
    String shown = berth.said("get", "node", node, "-o", "yaml");
    assertThat(shown)
        .doesNotContain("uninitialized")
        .contains("topology.kubernetes.io/zone: a", "topology.kubernetes.io/region: north")
        .contains("failure-domain.beta.kubernetes.io/zone: a")
        .contains("beta.kubernetes.io/instance-type: large");
    berth.awaitSaid("Node synced successfully", "describe", "node", node);
  }

  @Test
  void aServerWithACloudFollowsItsFile() throws Exception {
    write(machine("n1", "Running"));
    try (BerthProcess berth =
        BerthProcess.up(
            folder.resolve("data"),
            0,
            "--cloud-config=" + machines(),
            "--node-monitor-period=500ms")) {
      register(berth, "n1");
      isInitialized(berth, "n1");

      write(machine("n1", "Stopped"));
      await(
          berth,
          "n1",
          "jsonpath={.spec.taints[?(@.key==\"node.cloudprovider.kubernetes.io/shutdown\")].effect}=NoSchedule");

      Files.writeString(machines(), "machines: [");
      assertThat(berth.said("wait", "--for=delete", "--timeout=2s", "node/n1"))
          .as("nobody knows whether the machine is there")
          .contains("timed out");
      write();
      await(berth, "n1", "delete");
      berth.awaitSaid(
          "Deleting node n1 because it does not exist in the cloud provider",
          "get",
          "events",
          "--field-selector=reason=DeletingNode");
    }
  }

  @Test
  void controllersAloneWorkForAnyClusterWithTheRightsOfTheirRole() throws Exception {
    write(machine("n1", "Running"));
    try (BerthProcess berth =
        BerthProcess.up(folder.resolve("data"), 0, "--no-controllers", "--no-scheduler")) {
      berth.said("create", "serviceaccount", "ccm", "-n", "kube-system");
      berth.said(
          "create",
          "clusterrolebinding",
          "ccm",
          "--clusterrole=system:cloud-controller-manager",
          "--serviceaccount=kube-system:ccm");
      String token = berth.said("create", "token", "ccm", "-n", "kube-system").strip();
      Path kubeconfig =
          Files.writeString(
              folder.resolve("ccm.kubeconfig"),
              Files.readString(berth.kubeconfig())
                  .replaceAll("client-certificate-data: \\S+", "token: " + token)
                  .replaceAll("client-key-data: \\S+", ""));
      Path log = folder.resolve("ccm.log");
      Process controllers =
          new ProcessBuilder(
                  BerthProcess.command(
                      List.of(
                          "cloud-controllers",
                          "--kubeconfig=" + kubeconfig,
                          "--cloud-config=" + machines())))
              .redirectError(log.toFile())
              .start();
      try (BufferedReader said = controllers.inputReader(UTF_8)) {
        assertThat(said.readLine()).startsWith("Running cloud controllers for https://127.0.0.1:");
        register(berth, "n1");
        isInitialized(berth, "n1");
        assertThat(berth.said("get", "lease", "-n", "kube-system", "cloud-controller-manager"))
            .doesNotContain("NotFound");
        write();
        await(berth, "n1", "delete");
        controllers.toHandle().destroy();
        assertThat(said.lines()).containsExactly("Stopped.");
      } finally {
        controllers.destroyForcibly();
      }
      assertThat(Files.readString(log)).doesNotContain("forbidden");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cloud-controllers|--cloud-config is missing: it names the file with the machines.",
        "cloud-controllers --cloud-config none|There is no file none.",
        "cloud-controllers --cloud-provider aws|--cloud-provider must be file, not \"aws\".",
        "cloud-controllers --controllers cloud-nodes|unknown controller \"cloud-nodes\".",
        "cloud-controllers --concurrent-node-syncs 0|must be a number between 1 and 1000, not \"0\".",
        "up --cloud-config none|There is no file none.",
        "up --cloud-config none --no-controllers|--cloud-config has no effect with --no-controllers.",
      })
  void saysWhatIsWrong(String words, String said) {
    MainTest.Ended ended = MainTest.berth((Object[]) words.split(" ", -1));
    assertThat(ended.status()).isNotEqualTo(ExitCode.OK);
    assertThat(ended.err()).contains(said);
  }
}
