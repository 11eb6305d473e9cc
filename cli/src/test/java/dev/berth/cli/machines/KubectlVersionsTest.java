package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Repository;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code kubectl} does with containers, by the one on the PATH and by Debian's 1.20, which
 * speaks SPDY alone. {@code ./test} puts that one into {@code target/kubernetes-client}.
 */
@TestInstance(Lifecycle.PER_CLASS)
class KubectlVersionsTest {
  private OneHost host;
  private Path folder;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path temporary) throws IOException {
    folder = temporary;
    host =
        new OneHost(
            temporary,
            "",
            "--horizontal-pod-autoscaler-sync-period=1s",
            "--horizontal-pod-autoscaler-cpu-initialization-period=1s");
    host.kubectl.create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {
          "terminationGracePeriodSeconds": 1, "containers": [
          {"name": "main", "image": "any", "stdin": true,
            "command": ["sh", "-c", "echo begun; while read -r line; do echo got $line; done"]},
          {"name": "server", "image": "any",
            "command": ["python3", "-m", "http.server", "8080", "--directory", "/usr/share/doc/dash"],
            "readinessProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 1}}]}}
        """);
    host.kubectl.awaitReady("pod/web");
  }

  @AfterAll
  void end() throws IOException {
    if (host != null) {
      host.close();
    }
  }

  static List<String> versions() {
    return List.of("kubectl", "1.20");
  }

  private Kubectl kubectl(String version) {
    Path old = Repository.ROOT.resolve("target/kubernetes-client/usr/bin/kubectl");
    assertThat(old).as("Debian's kubectl 1.20, which ./test unpacks there").isExecutable();
    return version.equals("kubectl") ? host.kubectl.withWebSockets() : host.kubectl.with(old);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void logsAreReadAndFollowed(String version) throws IOException {
    Kubectl kubectl = kubectl(version);
    kubectl.awaitSaid("^begun\n", "logs", "web", "-c", "main");
    Process follow = kubectl.start("logs", "web", "-c", "main", "-f", "--timestamps", "--tail=1");
    try (BufferedReader lines = follow.inputReader(UTF_8)) {
      assertThat(lines.readLine()).matches("\\d{4}-\\d\\d-\\d\\dT\\S+Z .*");
    } finally {
      follow.destroy();
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void commandsRunWithInputAndExitCode(String version) throws IOException {
    Kubectl kubectl = kubectl(version);
    BerthOn.Answer answer =
        kubectl.answer(
            "some input",
            "exec",
            "-i",
            "web",
            "-c",
            "main",
            "--",
            "sh",
            "-c",
            "cat; echo error >&2; exit 7");
    // Two streams, of which kubectl may print either first.
    assertThat(answer.text()).contains("some input").contains("error\n").contains("exit code 7");
    assertThat(answer.code()).isEqualTo(7);
    // Whoever waits for the end of its input speaks when kubectl is ready to hear it.
    String much = "cat; head -c 3000000 /dev/zero";
    answer = kubectl.answer("", "exec", "-i", "web", "-c", "main", "--", "sh", "-c", much);
    assertThat(answer.text().chars().filter(each -> each == 0)).hasSize(3_000_000);
    // A terminal: script gives kubectl one, too.
    String typed =
        host.machine.run(
            "script",
            "-qec",
            "stty rows 33 cols 91; '%s' --kubeconfig '%s' exec -it web -c main -- sh -c 'until [ $(stty size | cut -c1) != 0 ]; do sleep 0.1; done; test -t 0 && echo terminal; stty size'"
                .formatted(kubectl.program(), kubectl.kubeconfig()),
            "/dev/null");
    assertThat(typed).contains("terminal").contains("33 91");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void whoAttachesIsReadAndHeard(String version) throws IOException {
    Process attached = kubectl(version).start("attach", "-i", "web", "-c", "main");
    try (BufferedReader lines = attached.inputReader(UTF_8);
        var input = attached.outputWriter(UTF_8)) {
      input.write("word of " + version + "\n");
      input.flush();
      String line = lines.readLine();
      while (line != null && !line.contains("got word of " + version)) {
        line = lines.readLine();
      }
      assertThat(line).isNotNull();
    } finally {
      attached.destroy();
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void filesAreCopiedBothWays(String version) throws IOException {
    Kubectl kubectl = kubectl(version);
    Path there = folder.resolve("there-" + version);
    Files.write(there, new byte[1_500_000]);
    kubectl.run("cp", there.toString(), "web:/tmp/copy-" + version, "-c", "server");
    Path back = folder.resolve("back-" + version);
    kubectl.run("cp", "web:/tmp/copy-" + version, back.toString(), "-c", "server");
    assertThat(back).hasSameBinaryContentAs(there);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void portsAreForwarded(String version) throws IOException {
    Process forward = kubectl(version).start("port-forward", "pod/web", ":8080");
    try (BufferedReader output = forward.inputReader(UTF_8)) {
      String port = output.readLine().replaceAll(".*127.0.0.1:(\\d+) .*", "$1");
      String ask =
          "import urllib.request as r; [r.urlopen('http://127.0.0.1:%s/').read() for _ in range(5)];"
                  .formatted(port)
              + " print(r.urlopen('http://127.0.0.1:%s/').status)".formatted(port);
      assertThat(host.machine.run("python3", "-c", ask)).isEqualTo("200\n");
    } finally {
      forward.destroy();
    }
  }

  /** What the pods use is what the node measures; nothing is made up. */
  @Test
  void autoscalersScaleByWhatPodsUse() throws IOException {
    for (String version : versions()) {
      String name = busy(version);
      host.kubectl.create(
          """
          {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "%1$s"}, "spec": {
            "selector": {"matchLabels": {"app": "%1$s"}}, "template": {
            "metadata": {"labels": {"app": "%1$s"}}, "spec": {
            "terminationGracePeriodSeconds": 0, "containers": [{"name": "main", "image": "any",
              "resources": {"requests": {"cpu": "10m"}, "limits": {"cpu": "100m"}},
              "command": ["sh", "-c", "while :; do :; done"]}]}}}}
          """
              .formatted(name));
      kubectl(version)
          .run("autoscale", "deployment", name, "--cpu-percent=50", "--min=1", "--max=2");
    }
    for (String version : versions()) {
      Kubectl kubectl = kubectl(version);
      String name = busy(version);
      host.kubectl.awaitField("deployment/" + name, "{.spec.replicas}", "2");
      host.kubectl.awaitField("hpa/" + name, "{.status.currentReplicas}", "2");
      kubectl.awaitSaid("Deployment/" + name + " +cpu: \\d+%/50% +1 +2 +2 ", "get", "hpa", name);
      kubectl.awaitSaid("New size: 2; reason: cpu resource utilization", "describe", "hpa", name);
      // 1.20 knows none of the versions that it would like to describe but the first.
      assertThat(kubectl.run("describe", "hpa", name))
          .containsPattern(
              version.equals("1.20")
                  ? "Current CPU utilization: +\\d+%"
                  : "resource cpu on pods +\\(as a percentage of request\\): +\\d+% .*/ 50%")
          .containsPattern("Deployment pods: +2 current / 2 desired");
      host.kubectl.run("delete", "hpa,deployment", name);
    }
  }

  private static String busy(String version) {
    return "busy-" + version.replace('.', '-');
  }

  @ParameterizedTest
  @MethodSource("versions")
  void aPodIsDebugged(String version) throws IOException {
    Kubectl kubectl = kubectl(version);
    // 1.20 writes ephemeral containers in a form that servers have stopped to know since 1.23.
    Kubectl debugging = version.equals("1.20") ? host.kubectl : kubectl;
    String name = "look-" + version.replace('.', '-');
    debugging.run(
        "debug",
        "web",
        "--image=any",
        "--container=" + name,
        "--target=server",
        "--",
        "sleep",
        "1000");
    host.kubectl.await(
        "pod/web",
        "jsonpath={.status.ephemeralContainerStatuses[?(@.name==\"%s\")].state.running.startedAt}"
            .formatted(name));
    String first = "cat; cat /proc/1/cmdline";
    assertThat(kubectl.answer("", "exec", "-i", "web", "-c", name, "--", "sh", "-c", first).text())
        .contains("http.server");
  }
}
