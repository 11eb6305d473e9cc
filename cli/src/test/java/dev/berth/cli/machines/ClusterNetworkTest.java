package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Services, routes and names as pods, nodes and strangers see them, with a pod on each of two
 * machines that says who it is and who asked. Needs root and nft.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ClusterNetworkTest {
  private static final String SERVER =
      """
      import http.server, socket, threading
      class Web(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
          text = (socket.gethostname() + " " + self.client_address[0]).encode()
          self.send_response(200)
          self.send_header("Content-Length", str(len(text)))
          self.end_headers()
          self.wfile.write(text)
      def datagrams():
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("", 9090))
        while True:
          udp.sendto(socket.gethostname().encode(), udp.recvfrom(100)[1])
      threading.Thread(target=datagrams, daemon=True).start()
      http.server.ThreadingHTTPServer(("", 8080), Web).serve_forever()
      """;

  private ThreeHosts hosts;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
    hosts = new ThreeHosts(folder);
    kubectl = hosts.kubectl;
    for (TestMachine node : List.of(hosts.left, hosts.right)) {
      kubectl.create(
          """
          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-%1$s", "labels": {"app": "web", "on": "%1$s"}},
           "spec": {"nodeSelector": {"kubernetes.io/hostname": "%1$s"}, "hostname": "web-%1$s", "subdomain": "headless",
            "terminationGracePeriodSeconds": 1, "containers": [{"name": "main", "image": "any",
             "readinessProbe": {"httpGet": {"port": 8080}, "periodSeconds": 1, "timeoutSeconds": 30},
             "command": ["python3", "-c", "%2$s"]}]}}
          """
              .formatted(node.name(), SERVER.replace("\"", "\\\"").replace("\n", "\\n")));
    }
    kubectl.awaitReady("pod/web-left");
    kubectl.awaitReady("pod/web-right");
  }

  @AfterAll
  void end() throws IOException {
    if (hosts != null) {
      hosts.close();
    }
  }

  /**
   * A service of both pods.
   *
   * @param spec further fields
   */
  private void service(String name, String spec) throws IOException {
    kubectl.create(
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "%s"}, "spec": {%s
          "selector": {"app": "web"}, "ports": [{"name": "http", "port": 80, "targetPort": 8080}]}}
        """
            .formatted(name, spec));
  }

  private static List<String> python(String script) {
    return List.of("python3", "-c", script);
  }

  /** Asks twelve times; a line for each answer. */
  private static List<String> asking(String url) {
    return python(
        """
        import urllib.request
        for i in range(12):
          try:
            print(urllib.request.urlopen("%s", timeout=10).read().decode())
          except OSError as e:
            print("failed", e)
        """
            .formatted(url));
  }

  private String inPod(String pod, List<String> command) {
    try {
      String[] words =
          Stream.concat(Stream.of("exec", pod, "--"), command.stream()).toArray(String[]::new);
      return kubectl.run(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String on(TestMachine machine, List<String> command) {
    try {
      return machine.run(command.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String outside(List<String> command) {
    try {
      return hosts.lan.outside(command.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asks until all answers are these; rules follow a service within milliseconds, but not at once.
   */
  private static void awaitAnswers(Supplier<String> asked, Predicate<Set<String>> right) {
    Set<String> last = new TreeSet<>();
    Await.until(
        "the right answers",
        () -> {
          last.clear();
          last.addAll(asked.get().lines().toList());
          return right.test(last);
        });
  }

  private String podAddress(TestMachine node) throws IOException {
    return kubectl.field("pod/web-" + node.name(), "{.status.podIP}");
  }

  private String nodePort(String service) throws IOException {
    return kubectl.field("service/" + service, "{.spec.ports[0].nodePort}");
  }

  @Test
  void aServiceIsReachedByNameFromEveryPodAndByAddressFromEveryNode() throws IOException {
    service("web", "\"type\": \"NodePort\",");
    String own = podAddress(hosts.left);
    String gateway = own.substring(0, own.lastIndexOf('.')) + ".1";
    awaitAnswers(
        () -> inPod("web-left", asking("http://web.default.svc.cluster.local")),
        Set.of("web-right " + own, "web-left " + gateway)::equals);
    String address = kubectl.field("service/web", "{.spec.clusterIP}");
    awaitAnswers(
        () -> on(hosts.left, asking("http://" + address)),
        Set.of("web-right " + hosts.left.address(), "web-left " + gateway)::equals);
    for (TestMachine node : List.of(hosts.left, hosts.right)) {
      String url = "http://%s:%s".formatted(node.address(), nodePort("web"));
      awaitAnswers(
          () -> outside(asking(url)),
          said ->
              said.size() == 2
                  && said.stream().anyMatch(each -> each.startsWith("web-left "))
                  && said.stream().anyMatch(each -> each.startsWith("web-right ")));
    }
    kubectl.run("delete", "service", "web");
  }

  @Test
  void anOperatorInAPodReachesTheApiAsInAnyCluster() {
    String script =
        """
        import os, ssl, urllib.request
        folder = "/var/run/secrets/kubernetes.io/serviceaccount/"
        tls = ssl.create_default_context(cafile=folder + "ca.crt")
        for host in (os.environ["KUBERNETES_SERVICE_HOST"] + ":" + os.environ["KUBERNETES_SERVICE_PORT"], "kubernetes.default.svc"):
          request = urllib.request.Request("https://" + host + "/version", headers={"Authorization": "Bearer " + open(folder + "token").read()})
          print(urllib.request.urlopen(request, context=tls, timeout=60).status)
        """;
    for (String pod : List.of("web-left", "web-right")) {
      assertThat(inPod(pod, python(script)).lines()).containsExactly("200", "200");
    }
  }

  @Test
  void aClientStaysWithItsEndpointWhileTheServiceSaysSo() throws IOException {
    service("sticky", "\"sessionAffinity\": \"ClientIP\",");
    Supplier<String> asked = () -> inPod("web-left", asking("http://sticky"));
    awaitAnswers(asked, said -> said.size() == 1 && !said.toString().contains("failed"));
    kubectl.run(
        "patch",
        "service",
        "sticky",
        "--type=merge",
        "-p",
        "{\"spec\":{\"sessionAffinity\":\"None\"}}");
    awaitAnswers(asked, said -> said.size() == 2);
    kubectl.run("delete", "service", "sticky");
  }

  @Test
  void withPolicyLocalStrangersKeepTheirAddressAndClientsTheirNode() throws IOException {
    service(
        "near",
        "\"type\": \"LoadBalancer\", \"externalTrafficPolicy\": \"Local\","
            + " \"internalTrafficPolicy\": \"Local\",");
    String url = "http://%s:%s".formatted(hosts.right.address(), nodePort("near"));
    awaitAnswers(() -> outside(asking(url)), Set.of("web-right 10.199.0.1")::equals);
    awaitAnswers(
        () -> inPod("web-left", asking("http://near")),
        said -> said.size() == 1 && said.iterator().next().startsWith("web-left "));
    String health =
        "http://%s:%s/healthz"
            .formatted(
                hosts.right.address(),
                kubectl.field("service/near", "{.spec.healthCheckNodePort}"));
    awaitAnswers(
        () -> outside(asking(health)), said -> said.toString().contains("\"localEndpoints\": 1"));
    kubectl.run(
        "patch",
        "service",
        "near",
        "--type=merge",
        "-p",
        "{\"spec\":{\"selector\":{\"on\":\"left\"}}}");
    awaitAnswers(
        () -> outside(asking(health)),
        said -> said.stream().allMatch(each -> each.contains("503")));
    kubectl.run("delete", "service", "near");
  }

  @Test
  void withoutEndpointsAClientIsRefusedAtOnce() throws IOException {
    service("nobody", "");
    kubectl.run(
        "patch",
        "service",
        "nobody",
        "--type=merge",
        "-p",
        "{\"spec\":{\"selector\":{\"on\":\"nowhere\"}}}");
    awaitAnswers(
        () -> inPod("web-left", asking("http://nobody")),
        said -> said.size() == 1 && said.toString().contains("refused"));
    kubectl.run("delete", "service", "nobody");
  }

  @Test
  void namesStandForServicesPodsAndOtherNames() throws IOException {
    service("headless", "\"clusterIP\": \"None\",");
    kubectl.create(
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "alias"},
         "spec": {"type": "ExternalName", "externalName": "headless.default.svc.cluster.local"}}
        """);
    String left = podAddress(hosts.left);
    String right = podAddress(hosts.right);
    for (String name : List.of("headless", "headless.default", "alias.default.svc.cluster.local")) {
      awaitAnswers(() -> inPod("web-right", resolving(name)), Set.of(left, right)::equals);
    }
    awaitAnswers(() -> inPod("web-right", resolving("web-left.headless")), Set.of(left)::equals);
    String dashed = right.replace('.', '-') + ".default.pod.cluster.local";
    awaitAnswers(() -> inPod("web-left", resolving(dashed)), Set.of(right)::equals);
    assertThat(inPod("web-left", resolving("nothing.headless"))).contains("failed");
    assertThat(inPod("web-left", List.of("cat", "/etc/resolv.conf")))
        .contains("nameserver 10.96.0.10")
        .contains("search default.svc.cluster.local svc.cluster.local cluster.local")
        .contains("options ndots:5");
    kubectl.run("delete", "service", "headless", "alias");
  }

  private static List<String> resolving(String name) {
    return python(
        """
        import socket
        try:
          for each in socket.getaddrinfo("%s", None, socket.AF_INET, socket.SOCK_STREAM):
            print(each[4][0])
        except OSError as e:
          print("failed", e)
        """
            .formatted(name));
  }

  @Test
  void datagramsOfOneFlowGoOnToAnEndpointThatIsThere() throws IOException {
    kubectl.create(
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "datagrams"}, "spec": {
          "selector": {"on": "right"}, "ports": [{"port": 9090, "protocol": "UDP"}]}}
        """);
    String script =
        """
        import socket
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.settimeout(1)
        udp.bind(("", 7777))
        try:
          udp.sendto(b"x", ("datagrams", 9090))
          print(udp.recv(100).decode())
        except OSError as e:
          print("failed", e)
        """;
    Supplier<String> asked = () -> inPod("web-left", python(script));
    awaitAnswers(asked, Set.of("web-right")::equals);
    kubectl.run(
        "patch",
        "service",
        "datagrams",
        "--type=merge",
        "-p",
        "{\"spec\":{\"selector\":{\"on\":\"left\"}}}");
    awaitAnswers(asked, Set.of("web-left")::equals);
    kubectl.run("delete", "service", "datagrams");
  }

  /** Connections from a machine to a service, opened at once, and not used before somebody asks. */
  private static final class OpenConnections implements AutoCloseable {
    private final Process client;

    OpenConnections(TestMachine machine, String address) throws IOException {
      client =
          new ProcessBuilder(
                  machine.enter(
                      python(
                          """
                          import socket, sys
                          open = [socket.create_connection(("%s", 80), 60) for _ in range(4)]
                          print("open", flush=True)
                          sys.stdin.readline()
                          for each in open:
                            each.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                          print(*[each.recv(100).split()[1].decode() for each in open], flush=True)
                          """
                              .formatted(address))))
              .redirectErrorStream(true)
              .start();
      assertThat(client.inputReader(UTF_8).readLine()).isEqualTo("open");
    }

    String answers() throws IOException {
      try (Writer go = client.outputWriter(UTF_8)) {
        go.write("\n");
      }
      return client.inputReader(UTF_8).readLine();
    }

    @Override
    public void close() {
      client.destroyForcibly().onExit().join();
    }
  }

  @Test
  void rulesAndRoutesOutliveTheAgentAndAreMadeAnewByTheNext() throws IOException {
    service("lasting", "");
    awaitAnswers(
        () -> inPod("web-left", asking("http://lasting")),
        said -> said.size() == 2 && !said.toString().contains("failed"));
    String address = kubectl.field("service/lasting", "{.spec.clusterIP}");
    String url = "http://" + address;
    // Also while the node of one of them, whose agent is gone, is not ready.
    service(
        "sticky-lasting", "\"sessionAffinity\": \"ClientIP\", \"publishNotReadyAddresses\": true,");
    Supplier<String> sticky = () -> inPod("web-left", asking("http://sticky-lasting"));
    awaitAnswers(sticky, said -> said.size() == 1 && !said.toString().contains("failed"));
    String stayedWith = sticky.get();
    try (OpenConnections open = new OpenConnections(hosts.left, address)) {
      hosts.restart(
          hosts.left,
          () ->
              assertThat(on(hosts.left, asking(url)))
                  .contains("web-right")
                  .doesNotContain("failed"));
      // Its rules replace those of the agent that was killed; this service is among them.
      service("later", "");
      awaitAnswers(
          () -> inPod("web-left", asking("http://later")),
          said -> said.size() == 2 && !said.toString().contains("failed"));
      assertThat(open.answers())
          .as("to requests on connections from before")
          .isEqualTo("200 200 200 200");
    }
    assertThat(sticky.get()).as("where a client stays").isEqualTo(stayedWith);
    kubectl.run("delete", "service", "sticky-lasting", "later");
    hosts.left.run("nft", "flush", "ruleset");
    awaitAnswers(
        () -> on(hosts.left, asking(url)),
        said -> said.size() == 2 && !said.toString().contains("failed"));
    assertThat(
            kubectl.field(
                "node/left", "{.status.conditions[?(@.type=='NetworkUnavailable')].reason}"))
        .isEqualTo("RouteCreated");
    kubectl.run("delete", "service", "lasting");
  }
}
