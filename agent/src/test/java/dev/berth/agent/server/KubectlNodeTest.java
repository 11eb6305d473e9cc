package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.server.fixture.FakeNode;
import dev.berth.agent.server.fixture.HostProcess;
import dev.berth.agent.server.fixture.NodeWithServer;
import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.WebSockets;
import dev.berth.apiserver.fixture.WebSockets.Received;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real {@code kubectl} with an API server and a node's port, in both of its protocols. */
class KubectlNodeTest {
  private static final Map<String, String> SPDY =
      Map.of(
          "KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false",
          "KUBECTL_PORT_FORWARD_WEBSOCKETS", "false");

  @TempDir static Path directory;
  private static NodeWithServer cluster;
  private static int pods;

  @BeforeAll
  static void start() {
    cluster = new NodeWithServer(directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String newPod() {
    String name = "pod-" + pods++;
    cluster.pod(name);
    return name;
  }

  private static Kubectl kubectl(String protocol) {
    return protocol.equals("spdy") ? cluster.kubectl.with(SPDY) : cluster.kubectl;
  }

  private static void write(Path log, String... lines) throws IOException {
    Files.writeString(
        log, String.join("\n", lines) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void showsLogs() throws IOException {
    cluster.pod("two", "a", "b");
    write(
        cluster.log("two", "a"),
        "2026-01-01T00:00:00.000000001Z stdout F one",
        "2026-01-01T00:00:01Z stderr P tw",
        "2026-01-01T00:00:01Z stderr F o",
        "2026-01-01T00:00:02.5+01:00 stdout F three");
    write(cluster.log("two", "b"), "2026-01-01T00:00:00Z stdout F other");
    Kubectl kubectl = cluster.kubectl;
    assertThat(kubectl.run("logs", "two", "-c", "a")).isEqualTo("one\ntwo\nthree\n");
    assertThat(kubectl.run("logs", "two", "-c", "a", "--tail=1")).isEqualTo("three\n");
    assertThat(kubectl.run("logs", "two", "-c", "a", "--tail=0")).isEmpty();
    assertThat(kubectl.run("logs", "two", "-c", "a", "--limit-bytes=5")).isEqualTo("one\nt");
    assertThat(kubectl.run("logs", "two", "-c", "a", "--since-time=2026-01-01T00:00:01Z"))
        .isEqualTo("two\n");
    assertThat(kubectl.run("logs", "two", "-c", "a", "--timestamps", "--tail=3"))
        .isEqualTo("2026-01-01T00:00:01.000000000Z two\n2025-12-31T23:00:02.500000000Z three\n");
    assertThat(kubectl.run("logs", "two", "--all-containers", "--prefix"))
        .contains("[pod/two/a] one", "[pod/two/b] other");
    assertThat(
            kubectl.run(
                "get",
                "--raw",
                "/api/v1/namespaces/default/pods/two/log?container=a&stream=Stderr"))
        .isEqualTo("two\n");
  }

  /** As browsers read logs, which send their token as a subprotocol. */
  @ParameterizedTest
  @CsvSource({"binary.k8s.io, 'one\n'", "base64.binary.k8s.io, b25lCg=="})
  void showsLogsOverWebSocket(String protocol, String message) throws Exception {
    String pod = newPod();
    write(cluster.log(pod, "main"), "2026-01-01T00:00:00Z stdout F one");
    Kubectl kubectl = cluster.kubectl;
    kubectl.run("create", "serviceaccount", pod);
    kubectl.run("create", "role", pod, "--verb=get", "--resource=pods/log");
    kubectl.run("create", "rolebinding", pod, "--role=" + pod, "--serviceaccount=default:" + pod);
    String token = kubectl.run("create", "token", pod).strip();
    try (WebSockets sockets = new WebSockets(cluster.server.kubeconfig())) {
      Received received = new Received();
      var _ =
          sockets.open(
              "/api/v1/namespaces/default/pods/" + pod + "/log", protocol, token, received);
      assertThat(received.next()).isEmpty();
      assertThat(received.next()).isEqualTo(message);
      assertThat(received.next()).isEqualTo("closed 1000");
    }
  }

  @Test
  void saysWhyThereAreNoLogs() {
    String pod = newPod();
    Kubectl kubectl = cluster.kubectl;
    assertThat(kubectl.run("logs", pod, "--previous"))
        .isEqualTo(
            "Error from server (BadRequest): previous terminated container \"main\" in pod \"%s\" not found\n"
                .formatted(pod));
    assertThat(kubectl.run("logs", pod, "-c", "ghost"))
        .contains("container ghost is not valid for pod " + pod);
    assertThat(
            kubectl.run(
                "get", "--raw", "/api/v1/namespaces/default/pods/" + pod + "/log?tailLines=-1"))
        .contains("tailLines: Invalid value: -1: must be greater than or equal to 0");
  }

  @Test
  void showsThePreviousContainersLog() throws IOException {
    ContainerStatus first = cluster.pod("again");
    Path old = directory.resolve("again-old.log");
    write(old, "2026-01-01T00:00:00Z stdout F old");
    write(cluster.log("again", "main"), "2026-01-01T00:01:00Z stdout F new");
    JsonObject pod = cluster.node.find("default", "again").orElseThrow();
    cluster.node.run(pod, FakeNode.ended(FakeNode.container("old", "main", old), 1), first);
    assertThat(cluster.kubectl.run("logs", "again", "-p")).isEqualTo("old\n");
    assertThat(cluster.kubectl.run("logs", "again")).isEqualTo("new\n");
  }

  @Test
  void followsALogAcrossRotationsUntilTheContainerEnds() throws IOException {
    ContainerStatus running = cluster.pod("followed");
    Path log = cluster.log("followed", "main");
    write(log, "2026-01-01T00:00:00Z stdout F 0");
    Process following = cluster.kubectl.begin("logs", "-f", "followed");
    try (BufferedReader lines = reader(following.getInputStream())) {
      assertThat(lines.readLine()).isEqualTo("0");
      for (int i = 1; i <= 5; i++) {
        write(log, "2026-01-01T00:00:00Z stdout F " + i);
        if (i % 2 == 0) {
          Files.move(log, log.resolveSibling(log.getFileName() + ".20260101-00000" + i));
        }
        assertThat(lines.readLine()).isEqualTo(Integer.toString(i));
      }
      write(log, "2026-01-01T00:00:00Z stdout F last");
      JsonObject pod = cluster.node.find("default", "followed").orElseThrow();
      cluster.node.run(pod, FakeNode.ended(running, 0));
      assertThat(lines.readLine()).isEqualTo("last");
      assertThat(lines.readLine()).isNull();
    } finally {
      following.destroy();
    }
  }

  /** Skips what comes before a line, such as what kubectl itself says. */
  private static void awaitLine(BufferedReader lines, String wanted) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.equals(wanted)) {
      line = lines.readLine();
    }
    assertThat(line).isEqualTo(wanted);
  }

  private static BufferedReader reader(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, UTF_8));
  }

  /**
   * Runs a command at the end of its input, which comes when kubectl is ready to hear what the
   * command says: over WebSockets it drops what it hears before, and complains.
   */
  private static Kubectl.Result exec(Kubectl kubectl, String pod, String script, String... words) {
    List<String> all =
        new ArrayList<>(List.of("exec", "-i", pod, "--", "sh", "-c", "cat; " + script, "sh"));
    all.addAll(List.of(words));
    return kubectl.result(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void runsCommands(String protocol) {
    String pod = newPod();
    Kubectl kubectl = kubectl(protocol);
    assertThat(exec(kubectl, pod, "echo \"$@\"", "a", "a", "b  c"))
        .satisfies(result -> assertThat(result.exitCode()).isZero())
        .satisfies(result -> assertThat(result.output()).endsWith("a a b  c\n"));
    assertThat(exec(kubectl, pod, "echo out; echo err >&2; exit 7"))
        .satisfies(result -> assertThat(result.exitCode()).isEqualTo(7))
        .satisfies(result ->
            assertThat(result.output())
                .contains("out\n", "err\n", "command terminated with exit code 7"));
    assertThat(kubectl.run("exec", pod, "--", "/no/such/program")).contains("/no/such/program");
    String much = exec(kubectl, pod, "head -c 3000000 /dev/zero").output();
    assertThat(much.chars().filter(each -> each == 0)).hasSize(3_000_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void commandsReadWhatIsTyped(String protocol) throws Exception {
    String pod = newPod();
    Process exec = kubectl(protocol).begin("exec", "-i", pod, "--", "cat");
    OutputStream stdin = exec.getOutputStream();
    try (BufferedReader lines = reader(exec.getInputStream())) {
      stdin.write("one\n".getBytes(UTF_8));
      stdin.flush();
      awaitLine(lines, "one");
      stdin.write("two\n".getBytes(UTF_8));
      stdin.close();
      assertThat(lines.readLine()).isEqualTo("two");
      assertThat(lines.readLine()).isNull();
      assertThat(exec.waitFor()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void aClientThatIsKilledEndsItsCommand(String protocol) throws Exception {
    String pod = newPod();
    cluster.node.sessions.clear();
    Process exec =
        kubectl(protocol).begin("exec", "-i", pod, "--", "sh", "-c", "read x; exec sleep 1000");
    exec.getOutputStream().write("x\n".getBytes(UTF_8));
    exec.getOutputStream().flush();
    HostProcess session = cluster.node.sessions.take();
    exec.destroyForcibly().waitFor();
    assertThat(session.process().waitFor()).isNotZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void tellsTheTerminalItsSize(String protocol) throws Exception {
    String pod = newPod();
    cluster.node.sessions.clear();
    // kubectl wants a terminal of its own, which script gives it.
    ProcessBuilder script =
        new ProcessBuilder(
                "script",
                "-qec",
                "stty cols 91 rows 17; kubectl exec -it " + pod + " -- sleep 1000",
                "/dev/null")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    script.environment().put("KUBECONFIG", cluster.server.kubeconfig().toString());
    script.environment().putAll(protocol.equals("spdy") ? SPDY : Map.of());
    Process running = script.start();
    try {
      assertThat(cluster.node.sessions.take().sizes.take()).isEqualTo("91x17");
    } finally {
      running.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void attaches(String protocol) throws Exception {
    String pod = newPod();
    Process attach = kubectl(protocol).begin("attach", "-i", "-q", pod);
    OutputStream stdin = attach.getOutputStream();
    try (BufferedReader lines = reader(attach.getInputStream())) {
      stdin.write("hello\n".getBytes(UTF_8));
      stdin.close();
      awaitLine(lines, "got hello");
      assertThat(lines.readLine()).isNull();
      assertThat(attach.waitFor()).isZero();
    } finally {
      attach.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void copiesFiles(String protocol) throws IOException {
    String pod = newPod();
    Path from = Files.writeString(directory.resolve("from-" + protocol), "x".repeat(1_000_000));
    Path remote = Files.createDirectories(directory.resolve("remote-" + protocol));
    kubectl(protocol).run("cp", from.toString(), pod + ":" + remote.resolve("there"));
    assertThat(remote.resolve("there")).hasSameTextualContentAs(from);
    kubectl(protocol).run("cp", pod + ":" + remote.resolve("there"), "back-" + protocol);
    assertThat(directory.resolve("back-" + protocol)).hasSameTextualContentAs(from);
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "spdy"})
  void forwardsPorts(String protocol) throws Exception {
    String pod = newPod();
    try (ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> serveEcho(echo));
      Process forward = kubectl(protocol).begin("port-forward", pod, ":" + echo.getLocalPort());
      try (BufferedReader lines = reader(forward.getInputStream())) {
        String line = lines.readLine();
        assertThat(line).startsWith("Forwarding from 127.0.0.1:");
        int port = Integer.parseInt(line.replaceAll("^.*:(\\d+) -> .*$", "$1"));
        for (int i = 0; i < 3; i++) {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            byte[] sent = ("hello " + i).repeat(50_000).getBytes(UTF_8);
            Thread sender =
                Thread.ofVirtual()
                    .start(() -> {
                      try {
                        socket.getOutputStream().write(sent);
                        socket.shutdownOutput();
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    });
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(sent);
            sender.join();
          }
        }
      } finally {
        forward.destroyForcibly().waitFor();
      }
    }
  }

  private static void serveEcho(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().transferTo(socket.getOutputStream());
      } catch (IOException _) {
        return;
      }
    }
  }

  @Test
  void saysWhyAPortCannotBeForwarded() throws Exception {
    String pod = newPod();
    int free = 1;
    Process forward = cluster.kubectl.begin("port-forward", pod, ":" + free);
    try (BufferedReader lines = reader(forward.getInputStream())) {
      String line = lines.readLine();
      int port = Integer.parseInt(line.replaceAll("^.*:(\\d+) -> .*$", "$1"));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      } catch (IOException _) {
        // A reset says the same.
      }
      while (line != null && !line.contains("error forwarding port")) {
        line = lines.readLine();
      }
      assertThat(line).contains("error forwarding port %d to pod %s".formatted(free, pod));
    } finally {
      forward.destroyForcibly().waitFor();
    }
  }

  @Test
  void proxiesToNodesAndPods() throws Exception {
    String pod = newPod();
    Kubectl kubectl = cluster.kubectl;
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/n1/proxy/pods"))
        .contains("\"PodList\"", pod);
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/n1/proxy/healthz")).isEqualTo("ok");
    assertThat(kubectl.run("get", "--raw", "/api/v1/nodes/n1:1/proxy/x"))
        .contains(
            "error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused");
    try (ServerSocket web = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> serveRequestLine(web));
      service("nobody", "'subsets':[]");
      assertThat(
              kubectl.run("get", "--raw", "/api/v1/namespaces/default/services/nobody:80/proxy/"))
          .contains("no endpoints available for service \"nobody\"");
      assertThat(
              kubectl.run("get", "--raw", "/api/v1/namespaces/default/services/nobody:81/proxy/"))
          .contains("no service port 81 found for service \"nobody\"");
      assertThat(
              kubectl.run(
                  "get",
                  "--raw",
                  "/api/v1/namespaces/default/pods/"
                      + pod
                      + ":"
                      + web.getLocalPort()
                      + "/proxy/pod"))
          .isEqualTo("GET /pod HTTP/1.1");
    }
  }

  /** A service leads to its pods' addresses, which are never loopback ones. */
  @Test
  void proxiesToTheServicesPods() throws Exception {
    String pod = newPod();
    String address = NetworkAddresses.ofThisMachine().reachable().getFirst();
    JsonObject stored =
        NodeWithServer.done(cluster.admin().get(Resources.PODS, new ObjectName("default", pod)));
    JsonObject there =
        stored.update(
            "status",
            status ->
                status
                    .with("podIP", address)
                    .with("podIPs", JsonArray.of(JsonObject.of("ip", address))));
    NodeWithServer.done(cluster.admin().updateStatus(Resources.PODS, there));
    try (ServerSocket web = new ServerSocket(0, 50, InetAddress.ofLiteral(address))) {
      Thread.ofVirtual().start(() -> serveRequestLine(web));
      String endpoints =
          "'subsets':[{'addresses':[{'ip':'%s','targetRef':{'kind':'Pod','namespace':'default','name':'%s'}}],'ports':[{'name':'http','port':%d}]}]";
      service("web", endpoints.formatted(address, pod, web.getLocalPort()));
      service("stray", endpoints.formatted(address, "ghost", web.getLocalPort()));
      Kubectl kubectl = cluster.kubectl;
      String services = "/api/v1/namespaces/default/services/";
      assertThat(kubectl.run("get", "--raw", services + "web:80/proxy/a%20b//c?d=e"))
          .isEqualTo("GET /a%20b//c?d=e HTTP/1.1");
      assertThat(kubectl.run("get", "--raw", services + "web:http/proxy/x"))
          .isEqualTo("GET /x HTTP/1.1");
      assertThat(kubectl.run("get", "--raw", services + "http:web:http/proxy/"))
          .isEqualTo("GET / HTTP/1.1");
      assertThat(kubectl.run("get", "--raw", services + "web:other/proxy/"))
          .contains("no endpoints available for service \"web:other\"");
      assertThat(kubectl.run("get", "--raw", services + "stray:80/proxy/"))
          .contains("no endpoints available for service \"stray:80\"");
    }
  }

  private static void service(String name, String endpoints) {
    JsonObject service =
        NodeWithServer.object(
            "{'apiVersion':'v1','kind':'Service','metadata':{'name':'%s','namespace':'default'},'spec':{'ports':[{'name':'http','port':80}]}}"
                .formatted(name));
    NodeWithServer.done(cluster.admin().create(Resources.SERVICES, service));
    JsonObject subsets =
        NodeWithServer.object(
            "{'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'%s','namespace':'default'},%s}"
                .formatted(name, endpoints));
    NodeWithServer.done(cluster.admin().create(Resources.ENDPOINTS, subsets));
  }

  private static void serveRequestLine(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept();
          BufferedReader lines = reader(socket.getInputStream())) {
        String line = lines.readLine();
        while (!lines.readLine().isEmpty()) {
          // The headers say nothing of interest.
        }
        socket
            .getOutputStream()
            .write(
                ("HTTP/1.1 200 OK\r\nContent-Length: " + line.length() + "\r\n\r\n" + line)
                    .getBytes(UTF_8));
      } catch (IOException _) {
        return;
      }
    }
  }

  @Test
  void showsWhatIsUsed() {
    String pod = newPod();
    assertThat(cluster.kubectl.run("top", "pod", pod, "--no-headers")).contains(pod, "40Mi");
    assertThat(cluster.kubectl.run("top", "pod", "--containers")).contains("main");
    assertThat(cluster.kubectl.run("top", "node", "--no-headers")).contains("n1", "512Mi", "12%");
    assertThat(cluster.kubectl.run("get", "--raw", "/apis/metrics.k8s.io/v1beta1"))
        .contains("\"NodeMetrics\"", "\"PodMetrics\"");
  }
}
