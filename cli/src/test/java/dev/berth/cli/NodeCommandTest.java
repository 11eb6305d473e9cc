package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This machine becomes a node of a real server, by the line that {@code berth token} prints. */
class NodeCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        List.of(words), new Console(new PrintWriter(out, true), new PrintWriter(err, true)));
  }

  /** A node as a process of its own. */
  private static final class NodeProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final List<String> said = new ArrayList<>();

    NodeProcess(List<String> words) throws IOException {
      process = new ProcessBuilder(BerthProcess.command(words)).redirectErrorStream(true).start();
      output = process.inputReader(UTF_8);
    }

    /** Reads what it says until a line has a text in it. */
    void await(String text) throws IOException {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.add(line);
        if (line.contains(text)) {
          return;
        }
      }
      throw new AssertionError("It did not say \"" + text + "\" but " + said);
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  private List<String> words(String line, String... further) throws IOException {
    List<String> words = new ArrayList<>(List.of(line.strip().split(" ", -1)));
    assertThat(words.removeFirst()).isEqualTo("berth");
    words.addAll(
        List.of(
            "--data",
            folder.resolve("node").toString(),
            "--config=" + BerthProcess.anyPort(folder),
            "--hostname-override",
            "Joined"));
    words.addAll(List.of(further));
    return words;
  }

  @Test
  void aKubeconfigThatIsNotThereIsNamed() {
    String missing = folder.resolve("missing").toString();
    String data = folder.resolve("none").toString();
    assertThat(run("node", "--kubeconfig", missing, "--data", data)).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "Which cluster? There is no file " + missing + ". Join one with \"berth node join");
    assertThat(run("node", "--data", data)).isEqualTo(2);
    assertThat(err.toString()).contains("Which cluster? Join one with \"berth node join");
  }

  @Test
  void aMachineJoinsByOneLineAndIsStillANodeAfterARestart() throws Exception {
    try (BerthProcess berth = BerthProcess.up(folder.resolve("data"), 0)) {
      String data = folder.resolve("data").toString();
      assertThat(run("token", "create", "--data", data)).isZero();
      String line = out.toString();
      assertThat(line)
          .matches(
              "berth node join https://127.0.0.1:\\d+ --token [a-z0-9]{6}\\.[a-z0-9]{16}"
                  + " --ca-hash sha256:[0-9a-f]{64}\\s+");

      try (NodeProcess node = new NodeProcess(words(line, "--node-labels", "tier=front"))) {
        node.await("has joined https://127.0.0.1:");
        node.await("got a certificate: kubelet-server");
        berth.await("condition=Ready", "node/joined");
        assertThat(berth.said("get", "node", "joined", "-L", "tier")).contains("front");
        assertThat(berth.said("describe", "node", "joined"))
            .contains("KubeletReady")
            .contains("kubelet has sufficient memory available")
            .contains("ephemeral-storage");
        berth.awaitSaid("Starting kubelet\\.", "describe", "node", "joined");
        berth.await("create", "-n", "kube-node-lease", "lease/joined");

        // Its certificate is not taken away from an agent that runs.
        Path certificate = folder.resolve("node/pki/kubelet-client-current.pem");
        byte[] before = Files.readAllBytes(certificate);
        assertThat(run(words(line).toArray(String[]::new))).isEqualTo(1);
        assertThat(err.toString())
            .contains(
                "berth: this machine cannot join: another agent runs in "
                    + folder.resolve("node")
                    + ": stop it first.");
        assertThat(certificate).hasBinaryContent(before);
      }
      assertThat(folder.resolve("node/pki/kubelet-client-current.pem")).isSymbolicLink();
      assertThat(folder.resolve("node/pki/kubelet-server-current.pem")).isSymbolicLink();

      try (NodeProcess node = new NodeProcess(words("berth node"))) {
        node.await("Running the node \"joined\"");
        node.await("took over the node");
      }

      String id = line.replaceAll("(?s).*--token ([a-z0-9]{6})\\..*", "$1");
      assertThat(run("token", "list", "--data", data)).isZero();
      assertThat(out.toString()).contains(id).contains("23h");
      assertThat(run("token", "delete", id, "--data", data)).isZero();
      assertThat(out.toString()).contains("Deleted the token " + id);
      assertThat(run("token", "delete", id, "--data", data)).isEqualTo(1);
      assertThat(err.toString()).contains("There is no token with the id " + id);

      // Whoever is told another authority does not join.
      String[] wrong =
          words(line.replaceAll("sha256:[0-9a-f]+", "sha256:" + "0".repeat(64)))
              .toArray(String[]::new);
      assertThat(run(wrong)).isEqualTo(1);
      assertThat(err.toString()).contains("berth: The cluster at https://127.0.0.1:");
    }
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    String data = folder.resolve("none").toString();
    assertThat(run("node", "--data", data)).isEqualTo(2);
    assertThat(err.toString()).contains("Join one with \"berth node join https://HOST:PORT\"");
    assertThat(run("node", "join", "--data", data)).isEqualTo(2);
    assertThat(run("node", "join", "https://127.0.0.1:1", "--data", data)).isEqualTo(2);
    assertThat(err.toString()).contains("needs --token");
    assertThat(run("node", "join", "https://127.0.0.1:1", "--data", data, "--token", "x"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("That is no bootstrap token");
    assertThat(run("node", "--data", data, "--node-ip", "10.0.0.1,10.0.0.2")).isEqualTo(2);
    assertThat(err.toString()).contains("one IPv4 address and one IPv6 address");
    assertThat(run("node", "--data", data, "--register-with-taints", "a=b:Never")).isEqualTo(2);
    assertThat(err.toString()).contains("is no taint such as dedicated=db:NoSchedule");
    assertThat(run("node", "--data", data, "--node-labels", "tier")).isEqualTo(2);
    assertThat(err.toString()).contains("is no label such as tier=front");
    assertThat(run("node", "--data", data, "--node-labels", "node-role.kubernetes.io/db=true"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("a node may not give itself node-role.kubernetes.io/db");
    Path config = folder.resolve("config.yaml");
    Files.writeString(
        config,
        "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPod: 3\n");
    assertThat(run("node", "--data", data, "--config", config.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("maxPod: Forbidden: unknown field");
  }
}
