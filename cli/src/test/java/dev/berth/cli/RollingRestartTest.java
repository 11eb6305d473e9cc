package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.grpc.etcd.EtcdProcess;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers on an etcd are stopped and started again while clients are at work. */
class RollingRestartTest {
  private static final Pattern PROXY = Pattern.compile("a proxy at (https://127\\.0\\.0\\.1:\\d+)");

  @TempDir Path directory;
  private final Elsewhere elsewhere;
  private EtcdProcess etcd;

  RollingRestartTest() throws IOException {
    elsewhere = Elsewhere.find();
  }

  @BeforeEach
  void start() throws IOException {
    etcd = EtcdProcess.start(Files.createDirectory(directory.resolve("etcd")), 1);
  }

  @AfterEach
  void stop() {
    etcd.close();
  }

  private BerthProcess up(String name, int port, String address, String... further)
      throws IOException {
    List<String> options = new ArrayList<>(List.of(further));
    options.addAll(
        List.of(
            "--etcd-servers",
            etcd.endpoints().getFirst().toString(),
            "--advertise-address",
            address));
    return BerthProcess.up(directory.resolve(name), port, options.toArray(String[]::new));
  }

  private void copyKeys() throws IOException {
    Path pki = Files.createDirectories(directory.resolve("other/pki"));
    try (Stream<Path> files = Files.list(directory.resolve("one/pki"))) {
      for (Path file : files.toList()) {
        Files.copy(file, pki.resolve(file.getFileName()));
      }
    }
  }

  /** The administrator's, with both servers. */
  private Path kubeconfig(BerthProcess one, BerthProcess other) throws IOException {
    String text =
        Files.readString(one.kubeconfig())
            .replaceFirst(
                "( +)server: (\\S+)",
                "$1server: $2\n$1extensions:\n$1- name: berth.dev/servers\n$1  extension:"
                    + " {servers: [\"https://127.0.0.1:%d\"]}".formatted(other.port()));
    return Files.writeString(directory.resolve("both.kubeconfig"), text);
  }

  @Test
  void noRequestFailsWhileServersAreRestartedInTurn() throws Exception {
    int onePort = BerthProcess.steadyPort();
    int otherPort = BerthProcess.steadyPort();
    BerthProcess one = up("one", onePort, elsewhere.one());
    copyKeys();
    BerthProcess other = up("other", otherPort, elsewhere.other());
    Path both = kubeconfig(one, other);
    Process proxy = proxy(both);
    SteadyLoad load = new SteadyLoad();
    try (WallTime time = new WallTime(FatalError::end)) {
      URI through = address(proxy);
      AdminClient[] clients = new AdminClient[8];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = new AdminClient(both, through, i % 2 == 0 ? Version.HTTP_2 : Version.HTTP_1_1);
      }
      Connection servers = Kubeconfig.read(both).connection();
      try (HttpApi direct = new HttpApi(servers, time, "steady")) {
        for (int i = 0; i < 4; i++) {
          load.writeBy("through-" + i, clients[i]);
          load.watchBy("watcher-" + i, clients[4 + i]);
        }
        load.writeBy("direct", direct);
        load.awaitProgress();

        String leader = leader(one);
        one.terminateInPeace();
        // Given back, so that nobody has to wait until it has expired.
        assertThat(leader(other)).isNotEqualTo(leader);
        // Told by the one that left: the other looks only every ten seconds.
        assertThat(endpoints(other)).isEqualTo(elsewhere.other());
        assertThat(load.failures).isEmpty();
        load.awaitProgress();
        one = up("one", onePort, elsewhere.one());
        load.awaitProgress();

        other.terminateInPeace();
        assertThat(endpoints(one)).isEqualTo(elsewhere.one());
        load.awaitProgress();
        other = up("other", otherPort, elsewhere.other());
        load.awaitProgress();

        assertThat(load.failures).isEmpty();
        String last = "the-last";
        assertThat(one.said("create", "configmap", last)).contains("created");
        Await.until(
            "all watchers", () -> load.told.stream().allMatch(names -> names.contains(last)));
        assertThat(load.failures).isEmpty();
      } finally {
        load.stop();
        for (AdminClient client : clients) {
          client.close();
        }
      }
    } finally {
      proxy.destroyForcibly();
      one.close();
      other.close();
    }
  }

  /** Of the controllers: the first, as long as it runs. */
  private static String leader(BerthProcess server) throws IOException {
    String[] words = {
      "get",
      "lease",
      "kube-controller-manager",
      "-n",
      "kube-system",
      "-o",
      "jsonpath={.spec.holderIdentity}"
    };
    return server.said(words);
  }

  private static String endpoints(BerthProcess server) throws IOException {
    return server.said(
        "get", "endpointslice", "kubernetes", "-o", "jsonpath={.endpoints[*].addresses[0]}");
  }

  private Process proxy(Path kubeconfig) throws IOException {
    return new ProcessBuilder(
            BerthProcess.command(
                List.of("proxy", "--port", "0", "--kubeconfig", kubeconfig.toString())))
        .redirectError(directory.resolve("proxy.stderr").toFile())
        .start();
  }

  private static URI address(Process proxy) throws IOException {
    String line = proxy.inputReader(UTF_8).readLine();
    Matcher address = PROXY.matcher(line == null ? "" : line);
    assertThat(address.find()).as(line).isTrue();
    return URI.create(address.group(1));
  }

  @Test
  void aServerThatIsAloneDoesNotWait() throws Exception {
    try (BerthProcess one = up("one", 0, elsewhere.one())) {
      one.terminateInPeace();
      assertThat(one.log()).noneMatch(line -> line.contains("requests are answered until"));
    }
  }

  @Test
  void whoAsksForADelayGetsItAndIsNotReadyMeanwhile() throws Exception {
    try (BerthProcess one = up("one", 0, elsewhere.one(), "--shutdown-delay-duration", "10m");
        AdminClient client = new AdminClient(one.kubeconfig())) {
      one.signal("TERM");
      Await.until(
          "not ready",
          () -> {
            try {
              return client.send("GET", "/readyz", "text/plain", "").statusCode() == 500;
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          });
      assertThat(client.send("GET", "/readyz", "text/plain", "").body())
          .contains("[-]shutdown failed: reason withheld");
      assertThat(client.send("GET", "/readyz/shutdown", "text/plain", "").body())
          .isEqualTo("internal server error: process is shutting down\n");
      assertThat(client.send("GET", "/livez", "text/plain", "").statusCode()).isEqualTo(200);
      assertThat(one.said("create", "configmap", "late")).contains("created");
    }
  }
}
