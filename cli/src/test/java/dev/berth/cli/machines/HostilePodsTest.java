package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pods that mean harm, through {@code kubectl}: their limits hold, their status says what happened,
 * and neither the node nor a neighbour that is probed every second suffers.
 */
@TestInstance(Lifecycle.PER_CLASS)
class HostilePodsTest {
  private static final long LOG_BYTES = 1 << 20;
  private static final int LOG_FILES = 3;

  private OneHost host;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
    host =
        new OneHost(
            folder,
            """
            podPidsLimit: 1500
            containerLogMaxSize: 1Mi
            containerLogMaxFiles: 3
            """);
    kubectl = host.kubectl;
    kubectl.create(probed("neighbour"));
    kubectl.create(probed("flooded"));
    kubectl.awaitReady("pod/neighbour");
    kubectl.awaitReady("pod/flooded");
  }

  private static String probed(String name) {
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
      "terminationGracePeriodSeconds": 1, "containers": [{"name": "main", "image": "any",
        "resources": {"requests": {"cpu": "500m", "memory": "64Mi"}},
        "command": ["python3", "-c", "%s"], "workingDir": "/usr/share/doc/dash",
        "startupProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 1},
        "livenessProbe": {"exec": {"command": ["true"]}, "periodSeconds": 1,
          "timeoutSeconds": 30, "failureThreshold": 2},
        "readinessProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 1,
          "timeoutSeconds": 30, "failureThreshold": 2}}]}}
    """
        .formatted(
            name,
            // With room for many who connect at once; the usual server has it for five.
            "import http.server as h; h.ThreadingHTTPServer.request_queue_size = 1000;"
                + " h.ThreadingHTTPServer(('', 8080), h.SimpleHTTPRequestHandler).serve_forever()");
  }

  @AfterEach
  void theNeighbourIsWell() throws IOException {
    assertThat(
            kubectl.field(
                "pod/neighbour",
                "{..restartCount} {.status.conditions[?(@.type==\"Ready\")].status}"))
        .as(kubectl.run("describe", "pod", "neighbour"))
        .isEqualTo("0 True");
    // On a busy machine kubectl may say first that it was answered before it expected to be.
    assertThat(kubectl.run("exec", "neighbour", "--", "echo", "well")).endsWith("well\n");
    kubectl.awaitReady("node/host");
  }

  @AfterAll
  void end() throws IOException {
    if (host != null) {
      host.close();
    }
  }

  /** Sends many requests at once to the neighbour; how many of them succeeded. */
  private String flood(int count, int port) throws IOException {
    Path folder = host.machine.data().resolveSibling("");
    Path config = folder.resolve("admin.json");
    Files.writeString(config, kubectl.run("config", "view", "--raw", "-o", "json"));
    Path script = folder.resolve("flood.py");
    try (InputStream source = HostilePodsTest.class.getResourceAsStream("flood.py")) {
      Files.write(script, source.readAllBytes());
    }
    String pod = "/api/v1/namespaces/default/pods/flooded";
    return host.machine.run(
        "python3", script.toString(), config.toString(), pod, "" + count, "" + port);
  }

  @Test
  void hundredsOfCommandsAtOnceAllRun() throws IOException {
    assertThat(flood(200, 0)).endsWith("200 of 200\n");
  }

  @Test
  void hundredsOfForwardedPortsAtOnceAllWork() throws IOException {
    Process forward = kubectl.start("port-forward", "pod/flooded", ":8080");
    try (BufferedReader output = forward.inputReader(UTF_8)) {
      String line = output.readLine();
      assertThat(line).startsWith("Forwarding from 127.0.0.1:");
      int port = Integer.parseInt(line.replaceAll(".*127.0.0.1:(\\d+) .*", "$1"));
      assertThat(flood(200, port)).endsWith("200 of 200\n");
    } finally {
      forward.destroy();
    }
  }

  private static String pod(String name, String script, String container, String spec) {
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
      "restartPolicy": "Never", "terminationGracePeriodSeconds": 1, %s
      "containers": [{"name": "main", "image": "any", %s "command": ["bash", "-c", "%s"]}]}}
    """
        .formatted(name, spec, container, script.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  private static String pod(String name, String script) {
    return pod(name, script, "", "");
  }

  /** Runs a pod to its end. */
  private String ended(String name) throws IOException {
    Await.until(
        "the end of " + name,
        () -> {
          String phase = kubectl.field("pod/" + name, "{.status.phase}");
          return phase.equals("Succeeded") || phase.equals("Failed");
        });
    return kubectl.field(
        "pod/" + name,
        "{.status.phase} {.status.reason} {..state.terminated.reason}"
            + " {..state.terminated.exitCode}");
  }

  @Test
  void aForkBombMeetsItsLimitAndIsDeleted() throws IOException {
    kubectl.create(
        pod(
            "bomb",
            "trap '' TERM; bomb() { bomb | bomb & bomb; }; while :; do bomb 2>/dev/null; done"));
    kubectl.awaitReady("pod/bomb");
    theNeighbourIsWell();
    kubectl.run("delete", "pod", "bomb");
    assertThat(Processes.of("while :; do bomb 2>/dev/null; done")).isEmpty();
  }

  @Test
  void whoeverTakesTooMuchMemoryIsKilled() throws IOException {
    String limit = "\"resources\": {\"limits\": {\"memory\": \"32Mi\"}},";
    kubectl.create(pod("hog", "x=$(head -c 200000000 /dev/zero | tr '\\0' x)", limit, ""));
    kubectl.create(
        pod(
            "sharer",
            "head -c 60000000 /dev/zero >/m/x; exec sleep 1000",
            limit + "\"volumeMounts\": [{\"name\": \"m\", \"mountPath\": \"/m\"}],",
            "\"volumes\": [{\"name\": \"m\", \"emptyDir\": {\"medium\": \"Memory\"}}],"));
    assertThat(ended("hog")).isEqualTo("Failed  OOMKilled 137");
    assertThat(ended("sharer")).isEqualTo("Failed  OOMKilled 137");
    kubectl.run("delete", "pod", "hog", "sharer");
  }

  @Test
  void whoeverFillsTheDiskIsEvicted() throws IOException {
    kubectl.create(
        pod(
            "filler",
            "head -c 20000000 /dev/zero >/d/x; exec sleep 1000",
            "\"volumeMounts\": [{\"name\": \"d\", \"mountPath\": \"/d\"}],",
            "\"volumes\": [{\"name\": \"d\", \"emptyDir\": {\"sizeLimit\": \"1Mi\"}}],"));
    kubectl.create(
        pod(
            "writer",
            "head -c 20000000 /dev/zero >/tmp/x; exec sleep 1000",
            "\"resources\": {\"limits\": {\"ephemeral-storage\": \"5Mi\"}},",
            ""));
    assertThat(ended("filler")).startsWith("Failed Evicted");
    assertThat(kubectl.field("pod/filler", "{.status.message}"))
        .contains("Usage of EmptyDir volume \"d\" exceeds the limit \"1Mi\"");
    assertThat(ended("writer")).startsWith("Failed Evicted");
    assertThat(kubectl.field("pod/writer", "{.status.message}"))
        .contains("Pod ephemeral local storage usage exceeds the total limit of containers 5Mi");
    kubectl.run("delete", "pod", "filler", "writer");
  }

  @Test
  void aFloodOfOutputIsRotated() throws IOException {
    kubectl.create(pod("flood", "exec yes $(head -c 200 /dev/zero | tr '\\0' y)"));
    kubectl.awaitReady("pod/flood");
    String uid = kubectl.field("pod/flood", "{.metadata.uid}");
    Path logs = Path.of("/var/log/pods/default_flood_" + uid);
    Await.until("as many files as there may be", () -> files(logs) == LOG_FILES);
    theNeighbourIsWell();
    // A file may be one read over its size when it is put aside.
    Await.until("logs of bounded size", () -> bytes(logs) < 2 * LOG_FILES * LOG_BYTES);
    // Right after a file was put aside there may be nothing in the next one yet.
    Await.until(
        "the last lines",
        () -> {
          List<String> last = kubectl.run("logs", "flood", "--tail=2").lines().toList();
          return last.size() == 2 && last.stream().allMatch(line -> line.startsWith("yyy"));
        });
    kubectl.run("delete", "pod", "flood");
    Await.until("the removal of its logs", () -> !Files.exists(logs));
  }

  private static long files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).count();
    } catch (IOException | UncheckedIOException e) {
      return 0; // one was put aside or removed at this moment
    }
  }

  private static long bytes(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    } catch (IOException | UncheckedIOException e) {
      return Long.MAX_VALUE;
    }
  }

  @Test
  void nobodyOutlivesItsContainer() throws IOException {
    kubectl.create(
        pod("parent", "setsid sh -c 'trap \"\" TERM HUP; (sleep 87801 &) & ' & sleep 0.3; exit 3"));
    kubectl.create(pod("stubborn", "trap '' TERM; sleep 87802 & while :; do wait; done"));
    assertThat(ended("parent")).isEqualTo("Failed  Error 3");
    assertThat(Processes.of("sleep 87801")).isEmpty();
    kubectl.awaitReady("pod/stubborn");
    kubectl.run("delete", "pod", "stubborn", "parent");
    assertThat(Processes.of("sleep 87802")).isEmpty();
  }

  @Test
  void hugeLastWordsAreCut() throws IOException {
    kubectl.create(
        pod("wordy", "head -c 3000000 /dev/zero | tr '\\0' w >/dev/termination-log; exit 4"));
    assertThat(ended("wordy")).isEqualTo("Failed  Error 4");
    assertThat(kubectl.field("pod/wordy", "{..state.terminated.message}")).matches("w{4096}");
    kubectl.run("delete", "pod", "wordy");
  }

  @Test
  void linksInVolumesLeadNowhere() throws IOException {
    Path outside = Files.writeString(host.node().resolve("outside"), "secret");
    kubectl.create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "linker"}, "spec": {
          "restartPolicy": "Never", "terminationGracePeriodSeconds": 1,
          "volumes": [{"name": "v", "emptyDir": {}}],
          "initContainers": [{"name": "make", "image": "any",
            "command": ["sh", "-c", "ln -s %s /v/link; ln -s / /v/root; ln -s ../../.. /v/up"],
            "volumeMounts": [{"name": "v", "mountPath": "/v"}]}],
          "containers": [%s, %s, {"name": "ok", "image": "any",
            "command": ["sh", "-c", "cat /v/link /v/root%s; ls /v/up; sleep 1000"],
            "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]}}
        """
            .formatted(host.node(), linked("one", "link"), linked("two", "up"), outside));
    kubectl.await(
        "pod/linker", "jsonpath={.status.containerStatuses[?(@.name==\"ok\")].started}=true");
    for (String name : new String[] {"one", "two"}) {
      kubectl.await(
          "pod/linker",
          "jsonpath={.status.containerStatuses[?(@.name==\"%s\")].state.waiting.reason}=CreateContainerConfigError"
              .formatted(name));
    }
    assertThat(kubectl.run("logs", "linker", "-c", "ok")).doesNotContain("secret");
    // What kubectl copies is read in the container, and a link in it is a link.
    Path copies = host.machine.data().resolveSibling("copies");
    kubectl.answer("", "cp", "-c", "ok", "linker:/v", copies.toString());
    kubectl.answer("", "cp", "-c", "ok", "linker:/v/link/outside", copies + "/file");
    assertThat(bytesOf(copies)).doesNotContain("secret");
    Files.delete(outside);
    kubectl.run("delete", "pod", "linker");
  }

  private static String linked(String name, String subPath) {
    return """
    {"name": "%s", "image": "any", "command": ["sh", "-c", "ls /mnt; sleep 1000"],
     "volumeMounts": [{"name": "v", "mountPath": "/mnt", "subPath": "%s"}]}
    """
        .formatted(name, subPath);
  }

  private static String bytesOf(Path directory) throws IOException {
    StringBuilder text = new StringBuilder();
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          text.append(Files.readString(file));
        }
      }
    }
    return text.toString();
  }

  @Test
  void aHostPathIsWhatItsTypeSaysOrThePodWaits() throws IOException {
    Path file = Files.writeString(host.node().resolveSibling("file"), "x");
    kubectl.create(
        pod(
            "mistaken",
            "sleep 1000",
            "\"volumeMounts\": [{\"name\": \"h\", \"mountPath\": \"/h\"}],",
            "\"volumes\": [{\"name\": \"h\", \"hostPath\": {\"path\": \"%s\", \"type\": \"Directory\"}}],"
                .formatted(file)));
    Await.until(
        "an event",
        () -> {
          return kubectl
              .run("events", "--for", "pod/mistaken")
              .contains("hostPath type check failed");
        });
    kubectl.run("delete", "pod", "mistaken");
  }

  @Test
  void aPodSeesNothingOfTheMachineAndOfOthers() throws IOException {
    String probe =
        """
        d=%s
        for f in $d $d/pki $d/admin.kubeconfig $d/node/runtime.lock /var/lib/berth /root/.m2 /run/systemd; do
          [ -e $f ] && echo sees $f; done
        ls /proc/1/root$d 2>/dev/null && echo sees the root of 1
        mount -t tmpfs none /mnt 2>/dev/null && echo mounts
        mount --bind /usr /mnt 2>/dev/null && echo binds
        unshare --mount true 2>/dev/null && echo unshares
        unshare --user true 2>/dev/null && echo becomes another user
        nsenter -t 1 -m true 2>/dev/null && echo enters
        for f in /proc/sysrq-trigger /proc/sys/kernel/core_pattern /proc/sys/vm/drop_caches /sys/kernel/mm/ksm/run /proc/sys/net/ipv4/ip_forward /usr/x /etc/x; do
          sh -c "echo 0 >$f" 2>/dev/null && echo writes $f; done
        for d in /tmp /v /dev/shm /dev; do mknod $d/disk b 254 0 2>/dev/null; head -c 1 $d/disk >/dev/null 2>&1 && echo reads a disk in $d; done
        head -c 1 /proc/kcore 2>/dev/null | grep -q . && echo reads memory
        dmesg >/dev/null 2>&1 && echo reads the kernel log
        grep -q '@' /proc/net/unix && echo sees abstract sockets
        [ $(ls /proc | grep -c '^[0-9]') -lt 20 ] || echo sees processes
        for p in /proc/[0-9]*; do tr '\\\\0' ' ' <$p/environ 2>/dev/null | grep -qi 'berth_\\|java' && echo reads $p; done
        python3 -c '
        import socket
        for family, kind, protocol in ((17, 3, 0), (2, 3, 1)):
          try:
            socket.socket(family, kind, protocol); print("makes raw sockets")
          except PermissionError:
            pass
        '
        echo end
        """
            .formatted(host.machine.data());
    Path script = Files.writeString(host.machine.data().resolveSibling("probe.sh"), probe);
    kubectl.create(
        pod(
            "spy",
            "sleep 1000",
            "\"securityContext\": {\"capabilities\": {\"drop\": [\"NET_RAW\"]}}, "
                + "\"volumeMounts\": [{\"name\": \"v\", \"mountPath\": \"/v\"}],",
            "\"volumes\": [{\"name\": \"v\", \"emptyDir\": {}}],"));
    kubectl.awaitReady("pod/spy");
    BerthOn.Answer answer =
        kubectl.answer(Files.readString(script), "exec", "-i", "spy", "--", "sh");
    assertThat(answer.text()).isEqualTo("end\n");
    kubectl.run("delete", "pod", "spy");
  }
}
