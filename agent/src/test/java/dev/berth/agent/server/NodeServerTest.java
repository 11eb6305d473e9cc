package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.server.fixture.ClientTls;
import dev.berth.agent.server.fixture.HostProcess;
import dev.berth.agent.server.fixture.NodeWithServer;
import dev.berth.http.Headers;
import dev.berth.http.ServerTls;
import dev.berth.http.outgoing.Destination;
import dev.berth.http.outgoing.OutgoingCall;
import dev.berth.http.outgoing.OutgoingRequest;
import dev.berth.pki.Credential;
import dev.berth.pki.ServerNames;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The node's port, asked directly. */
class NodeServerTest {
  @TempDir static Path directory;
  private static NodeWithServer cluster;
  private static Credential admin;

  @BeforeAll
  static void start() {
    cluster = new NodeWithServer(directory);
    cluster.pod("web");
    admin = credential("admin", "system:masters");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Credential credential(String user, String group) {
    return cluster
        .authority()
        .issueClient(user, List.of(group), Duration.ofHours(1), cluster.time().now());
  }

  private static OutgoingCall begin(
      String method, String target, Headers headers, @Nullable Credential credential)
      throws IOException {
    return begin(cluster.port.port(), method, target, headers, credential);
  }

  private static OutgoingCall begin(
      int number, String method, String target, Headers headers, @Nullable Credential credential)
      throws IOException {
    Destination port =
        new Destination(
            "127.0.0.1", number, Optional.of(ClientTls.context(cluster.authority(), credential)));
    return OutgoingCall.begin(
        port,
        new OutgoingRequest(
            method,
            target,
            headers.with("Host", "node"),
            null,
            OptionalLong.empty(),
            headers.has("Upgrade"),
            Duration.ofSeconds(30)));
  }

  private static String send(
      String method, String target, Headers headers, @Nullable Credential credential)
      throws IOException {
    try (OutgoingCall call = begin(method, target, headers, credential)) {
      return call.status() + " " + new String(call.body().readAllBytes(), UTF_8);
    }
  }

  private static String get(String target) throws IOException {
    return send("GET", target, Headers.NONE, admin);
  }

  @Test
  void nobodyIsLetInWithoutAProof() throws IOException {
    for (String path : List.of("/healthz", "/pods", "/metrics", "/exec/default/web/main", "/")) {
      assertThat(send("GET", path, Headers.NONE, null)).isEqualTo("401 Unauthorized");
      Headers wrong = Headers.of("Authorization", "Bearer nonsense");
      assertThat(send("GET", path, wrong, null)).isEqualTo("401 Unauthorized");
    }
  }

  @Test
  void whoHasNoRightIsToldWhichOne() throws IOException {
    Credential nobody = credential("nobody", "nothing");
    assertThat(send("GET", "/pods", Headers.NONE, nobody))
        .isEqualTo(
            "403 Forbidden (user=nobody, verb=get, resource=nodes, subresource(s)=[pods proxy])\n");
    assertThat(send("POST", "/run/default/web/main?cmd=ls", Headers.NONE, nobody))
        .isEqualTo(
            "403 Forbidden (user=nobody, verb=create, resource=nodes, subresource(s)=[proxy])\n");
  }

  @Test
  void tokensOfServiceAccountsAreKnown() throws IOException {
    var _ = cluster.kubectl.run("create", "serviceaccount", "watcher");
    var _ =
        cluster.kubectl.run(
            "create", "clusterrole", "stats", "--verb=get", "--resource=nodes/stats");
    var _ =
        cluster.kubectl.run(
            "create",
            "clusterrolebinding",
            "stats",
            "--clusterrole=stats",
            "--serviceaccount=default:watcher");
    String token = cluster.kubectl.run("create", "token", "watcher").strip();
    Headers bearer = Headers.of("Authorization", "Bearer " + token);
    assertThat(send("GET", "/stats/summary", bearer, null)).startsWith("200 {");
    assertThat(send("GET", "/configz", bearer, null))
        .startsWith("403 Forbidden (user=system:serviceaccount:default:watcher,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/healthz|200 ok",
        "/configz|200 {\"kubeletconfig\":{\"kind\":\"KubeletConfiguration\"}}",
        "/pods|200 {\"kind\":\"PodList\",\"apiVersion\":\"v1\"",
        "/runningpods/|200 {\"kind\":\"PodList\",\"apiVersion\":\"v1\"",
        "/metrics/probes|200",
        "/logs/|405 logs endpoint is disabled.",
        "/nothing|404 404 page not found",
        "/containerLogs/default/web|404 404: Page Not Found",
        "/containerLogs/default/ghost/main|404 pod \"ghost\" does not exist",
        "/containerLogs/default/web/ghost|404 container \"ghost\" not found in pod \"web\"",
        "/containerLogs/default/web/main?tailLines=x|400 {\"message\": \"Unable to decode query.\"}",
        "/containerLogs/default/web/main?tailLines=-1|422 {\"message\": \"Invalid request.\"}",
        "/exec/default/web/main|400 you must specify at least 1 of stdin, stdout, stderr",
        "/exec/default/web/main?output=1|400 you must specify a command",
        "/exec/default/web/main?output=1&command=ls|400 Upgrade request required",
        "/exec/default/web/other-uid/main?output=1&command=ls|404 pod not found",
        "/exec/default/web/ghost?output=1&command=ls|500 container not found (\"ghost\")",
        "/portForward/default/ghost|404 pod does not exist",
        "/portForward/default/web/other-uid|404 pod not found",
      })
  void answersByPath(String target, String begin) throws IOException {
    assertThat(get(target)).startsWith(begin);
  }

  @Test
  void runsCommandsWithoutStreams() throws IOException {
    assertThat(send("POST", "/run/default/web/main?cmd=echo%20hi", Headers.NONE, admin))
        .isEqualTo("200 hi\n");
    assertThat(send("POST", "/run/default/web/main?cmd=false", Headers.NONE, admin))
        .isEqualTo("500 command terminated with exit code 1");
  }

  @Test
  void showsWhatIsUsed() throws IOException {
    assertThat(get("/metrics/resource"))
        .contains(
            "container_cpu_usage_seconds_total{container=\"main\",namespace=\"default\",pod=\"web\"} 2.0 ",
            "node_memory_working_set_bytes 5.36870912E8 ",
            "pod_memory_working_set_bytes{namespace=\"default\",pod=\"web\"} 4.194304E7 ");
    assertThat(get("/metrics/cadvisor")).contains("container_processes{container=\"main\"");
    assertThat(get("/stats/summary"))
        .contains(
            "\"nodeName\":\"n1\"",
            "\"podRef\":{\"name\":\"web\",\"namespace\":\"default\"",
            "\"workingSetBytes\":41943040",
            "\"usageCoreNanoSeconds\":2000000000");
  }

  @Test
  void itsCertificateCanBeRenewed() throws IOException {
    Credential renewed =
        cluster.authority().renewServer(ServerNames.of(List.of("renewed")), cluster.time().now());
    cluster.port.use(
        new ServerTls(
            renewed.key(),
            List.of(renewed.certificate()),
            List.of(cluster.authority().certificate())));
    assertThat(get("/healthz")).isEqualTo("200 ok");
  }

  private static Headers webSocket(String protocol) {
    return Headers.of("Connection", "Upgrade")
        .with("Upgrade", "websocket")
        .with("Sec-WebSocket-Version", "13")
        .with("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        .with("Sec-WebSocket-Protocol", protocol);
  }

  @Test
  void protocolsThatNobodyKnowsAreRefused() throws IOException {
    String exec = "/exec/default/web/main?output=1&command=ls";
    assertThat(send("GET", exec, webSocket("v9.channel.k8s.io"), admin)).startsWith("400 none of");
    Headers spdy =
        Headers.of("Connection", "Upgrade")
            .with("Upgrade", "SPDY/3.1")
            .with("X-Stream-Protocol-Version", "v9.channel.k8s.io");
    assertThat(send("POST", exec, spdy, admin))
        .startsWith("403 unable to upgrade: unable to negotiate protocol");
    Headers other = Headers.of("Connection", "Upgrade").with("Upgrade", "h2c");
    assertThat(send("POST", exec, other, admin)).startsWith("400 unable to upgrade");
  }

  /** A client that asked for streams and opens none is let go after 30 seconds. */
  @Test
  void halfOpenUpgradesAreClosed() throws Exception {
    VirtualTime clock = new VirtualTime(1, cluster.time().now(), _ -> {});
    try (NodeServer second = cluster.serve(clock)) {
      Headers spdy = Headers.of("Connection", "Upgrade").with("Upgrade", "SPDY/3.1");
      try (OutgoingCall call =
          begin(second.port(), "POST", "/exec/default/web/main?output=1&command=ls", spdy, admin)) {
        assertThat(call.isUpgraded()).isTrue();
        CompletableFuture<Integer> end =
            CompletableFuture.supplyAsync(() -> {
              try {
                return call.upgraded().input().read();
              } catch (IOException _) {
                return -1;
              }
            });
        while (!end.isDone()) {
          clock.advance(SessionTimers.STREAM_CREATION);
        }
        assertThat(end.join()).isEqualTo(-1);
      }
    }
  }

  /** The pipe slows the command down; when the client goes, the command ends. */
  @Test
  void aClientThatReadsNothingHoldsUpOnlyItsOwnCommand() throws Exception {
    cluster.node.sessions.clear();
    String flood = "/exec/default/web/main?output=1&command=cat&command=/dev/zero";
    List<OutgoingCall> slow = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      slow.add(begin("GET", flood, webSocket("v4.channel.k8s.io"), admin));
    }
    assertThat(get("/healthz")).isEqualTo("200 ok");
    assertThat(send("POST", "/run/default/web/main?cmd=echo%20hi", Headers.NONE, admin))
        .isEqualTo("200 hi\n");
    slow.forEach(OutgoingCall::close);
    for (int i = 0; i < 5; i++) {
      HostProcess session = cluster.node.sessions.take();
      assertThat(session.process().waitFor()).isNotZero();
    }
  }
}
