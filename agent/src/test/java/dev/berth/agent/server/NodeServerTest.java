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
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
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
        "/healthz/syncloop|200 ok",
        "/configz|200 {\"kubeletconfig\":{\"kind\":\"KubeletConfiguration\"}}",
        "/pods|200 {\"kind\":\"PodList\",\"apiVersion\":\"v1\"",
        "/runningpods/|200 {\"kind\":\"PodList\",\"apiVersion\":\"v1\"",
        "/metrics/probes|200",
        "/logs|404 404 page not found",
        "/logs/?query=%20|400 query: Invalid value: [\" \"]: may not be empty",
        "/logs/?query=a&tailLines=many|400 tailLines: Invalid value: \"many\": must be a whole"
            + " number",
        "/logs/?query=a&sinceTime=now&boot=x|400 [sinceTime: Invalid value: \"now\": invalid time"
            + " format: must be like 2026-01-31T13:00:00Z, boot: Invalid value: \"x\": must be a"
            + " whole number]",
        "/nothing|404 404 page not found",
        "/containerLogs/default/web|404 404: Page Not Found",
        "/containerLogs/default/ghost/main|404 pod \"ghost\" does not exist",
        "/containerLogs/default/web/ghost|404 container \"ghost\" not found in pod \"web\"",
        "/containerLogs/default/web/main?tailLines=x|400 {\"message\": \"Unable to decode"
            + " query.\"}",
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
            "container_cpu_usage_seconds_total{container=\"main\",namespace=\"default\",pod=\"web\"}"
                + " 2.0 ",
            "container_swap_usage_bytes{container=\"main\",namespace=\"default\",pod=\"web\"}"
                + " 1048576.0 ",
            "container_swap_limit_bytes{container=\"main\",namespace=\"default\",pod=\"web\"}"
                + " 4194304.0 ",
            "node_memory_working_set_bytes 5.36870912E8 ",
            "pod_memory_working_set_bytes{namespace=\"default\",pod=\"web\"} 4.194304E7 ",
            "\nresource_scrape_error 0\n")
        .containsPattern("container_start_time_seconds\\{[^}]*} \\S+\n");
  }

  /** A node of {@code berth up} counts beside a server. */
  @Test
  void showsWhatTheNodeCountsAndNotTheServerAroundIt() throws IOException {
    cluster.metrics.counters("kubelet_evictions", "Evictions.", "eviction_signal").with("x");
    cluster.metrics.counters("apiserver_request_total", "Requests.").with().increment();
    cluster.metrics.counters("prober_probe_total", "Probes.").with().increment();
    assertThat(get("/metrics"))
        .contains("# HELP kubelet_evictions ", "kubelet_evictions{eviction_signal=\"x\"} 0\n")
        .doesNotContain("apiserver_", "prober_");
    assertThat(get("/metrics/probes"))
        .contains("prober_probe_total 1\n")
        .doesNotContain("kubelet_", "apiserver_");
  }

  /** With the labels by which dashboards tell containers from pods and the whole machine. */
  @Test
  void showsContainersUnderTheNamesOfCadvisor() throws IOException {
    String uid = Metadata.of(cluster.node.find("default", "web").orElseThrow()).uid();
    String pod = "container=\"\",id=\"/kubepods/pod%s\",image=\"\",name=\"\"".formatted(uid);
    String main =
        "container=\"main\",id=\"/kubepods/pod%s/main\",image=\"image\",name=\"web-main\""
            .formatted(uid);
    String names = ",namespace=\"default\",pod=\"web\"";
    assertThat(get("/metrics/cadvisor"))
        .contains(
            "container_cpu_usage_seconds_total{" + main + names + ",cpu=\"total\"} 2\n",
            "container_cpu_usage_seconds_total{" + pod + names + ",cpu=\"total\"} 2\n",
            "container_cpu_user_seconds_total{" + main + names + "} 1.5\n",
            "container_cpu_cfs_throttled_periods_total{" + main + names + "} 30\n",
            "container_cpu_cfs_throttled_seconds_total{" + main + names + "} 9\n",
            "container_spec_cpu_quota{" + main + names + "} 50000\n",
            "container_memory_working_set_bytes{" + main + names + "} 41943040\n",
            "container_memory_failures_total{"
                + main
                + names
                + ",failure_type=\"pgmajfault\",scope=\"hierarchy\"} 7\n",
            "container_oom_events_total{" + main + names + "} 5\n",
            "container_fs_reads_bytes_total{" + main + names + ",device=\"8:0\"} 4096\n",
            "container_threads_max{" + main + names + "} 100\n",
            "container_network_receive_errors_total{" + pod + names + ",interface=\"eth0\"} 1\n",
            "container_network_transmit_packets_total{" + pod + names + ",interface=\"eth0\"} 20\n",
            "container_memory_usage_bytes{container=\"\",id=\"/\",image=\"\",name=\"\",namespace=\"\",pod=\"\"}"
                + " 1073741824\n",
            "\nmachine_cpu_cores{")
        .doesNotContain("container_spec_cpu_quota{" + pod);
  }

  private static JsonObject summary(String query) throws IOException {
    return JsonReader.object(
        get("/stats/summary" + query).substring("200 ".length()).getBytes(UTF_8),
        JsonLimits.TRUSTED);
  }

  @Test
  void summarizesAPodWithAllThatAKubeletSays() throws IOException {
    JsonObject pod = summary("").array("pods").objects().getFirst();
    assertThat(withoutTime(pod.object("memory")))
        .isEqualTo(
            "{\"availableBytes\":25165824,\"usageBytes\":52428800,\"workingSetBytes\":41943040,"
                + "\"rssBytes\":31457280,\"pageFaults\":700,\"majorPageFaults\":7,\"psi\":"
                + "{\"full\":{\"total\":0,\"avg10\":0,\"avg60\":0,\"avg300\":0},"
                + "\"some\":{\"total\":0,\"avg10\":0,\"avg60\":0,\"avg300\":0}}}");
    assertThat(pod.object("cpu").object("psi").object("some"))
        .hasToString("{\"total\":12345,\"avg10\":1.5,\"avg60\":2,\"avg300\":0.25}");
    assertThat(withoutTime(pod.object("swap")))
        .isEqualTo("{\"swapAvailableBytes\":3145728,\"swapUsageBytes\":1048576}");
    String eth0 =
        "\"name\":\"eth0\",\"rxBytes\":1000,\"rxErrors\":1,\"txBytes\":2000,\"txErrors\":2";
    assertThat(withoutTime(pod.object("network")))
        .isEqualTo("{%1$s,\"interfaces\":[{%1$s}]}".formatted(eth0));
    String space =
        "\"availableBytes\":549755813888,\"capacityBytes\":1099511627776,\"usedBytes\":%d,"
            + "\"inodesFree\":900,\"inodes\":1000,\"inodesUsed\":%d";
    JsonObject container = pod.array("containers").objects().getFirst();
    assertThat(withoutTime(container.object("rootfs")))
        .isEqualTo("{" + space.formatted(4096, 3) + "}");
    assertThat(withoutTime(container.object("logs")))
        .isEqualTo("{" + space.formatted(1024, 2) + "}");
    // A claim's volume is nothing that the pod keeps on the node.
    assertThat(withoutTime(pod.object("ephemeral-storage")))
        .isEqualTo("{" + space.formatted(4096 + 1024 + 8192, 3 + 2 + 4) + "}");
    assertThat(pod.array("volume").size()).isEqualTo(2);
    assertThat(pod.object("process_stats")).hasToString("{\"process_count\":3}");
  }

  @Test
  void summarizesTheMachineWithAllThatAKubeletSays() throws IOException {
    JsonObject node = summary("").object("node");
    assertThat(node.text("nodeName", "")).isEqualTo("n1");
    assertThat(withoutTime(node.object("network")))
        .isEqualTo(
            "{\"name\":\"\",\"interfaces\":[{\"name\":\"ens3\",\"rxBytes\":10,\"rxErrors\":0,"
                + "\"txBytes\":20,\"txErrors\":0}]}");
    assertThat(withoutTime(node.object("rlimit"))).isEqualTo("{\"maxpid\":32768,\"curproc\":100}");
    assertThat(node.object("runtime").object("imageFs").integer("usedBytes")).hasValue(5555);
    assertThat(node.object("runtime").object("containerFs").integer("usedBytes")).hasValue(4096);
    JsonObject system = node.array("systemContainers").objects().getFirst();
    assertThat(system.text("name", "")).isEqualTo("kubelet");
    assertThat(system.object("cpu").integer("usageCoreNanoSeconds")).hasValue(3_000_000_000L);
    assertThat(system.object("memory").has("availableBytes")).isFalse();
  }

  @Test
  void summarizesProcessorsAndMemoryAloneForWhoWantsNoMore() throws IOException {
    JsonObject brief = summary("?only_cpu_and_memory=true");
    JsonObject pod = brief.array("pods").objects().getFirst();
    assertThat(pod.object("memory").integer("workingSetBytes")).hasValue(40 << 20);
    assertThat(pod.array("containers").objects().getFirst().object("cpu").has("usageNanoCores"))
        .isTrue();
    assertThat(brief.toString()).doesNotContain("network", "rootfs", "volume", "inodes");
  }

  private static String withoutTime(JsonObject shown) {
    return shown.without("time").toString();
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
