package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.SandboxSpec.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods have addresses, and ports of pods and of the machine lead to them. */
class NetworkTest {
  /** Answers each connection to port 8080 with a line. */
  private static final String SERVER =
      """
      use Socket qw(:all);
      my ($family, $address) = @ARGV;
      my $six = $family eq "6";
      socket(my $server, $six ? AF_INET6 : AF_INET, SOCK_STREAM, 0) or die;
      my $place = inet_pton($six ? AF_INET6 : AF_INET, $address);
      bind($server, $six ? pack_sockaddr_in6(8080, $place) : pack_sockaddr_in(8080, $place)) or die;
      listen($server, 50) or die;
      syswrite(STDOUT, "up\\n");
      while (my $from = accept(my $client, $server)) {
        my ($port, $place) = $six ? unpack_sockaddr_in6($from) : unpack_sockaddr_in($from);
        syswrite($client, "hello\\n" . ($ARGV[2] eq "telling" ? inet_ntop($six ? AF_INET6 : AF_INET, $place) : ""));
        close($client);
      }
      """;

  private LiveRuntime live;

  @BeforeEach
  void start() throws Exception {
    live = new LiveRuntime();
  }

  @AfterEach
  void end() throws Exception {
    live.close();
  }

  private ContainerStatus serve(TestPod pod, String address) throws Exception {
    return serve(pod, address, "quiet");
  }

  /**
   * Starts a server.
   *
   * @param manner {@code telling} has it tell clients who they are
   */
  private ContainerStatus serve(TestPod pod, String address, String manner) throws Exception {
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.running(
                        "perl", "-e", SERVER, address.contains(":") ? "6" : "4", address, manner)
                    .spec(pod));
    live.awaitLine(container, "up");
    return container;
  }

  @Test
  void podsReachEachOtherAndTheMachineReachesThemByBothFamilies() throws Exception {
    TestPod server = live.pod("server");
    serve(server, "::");
    List<String> addresses = live.sandbox(server).addresses();
    assertThat(addresses).hasSize(2);
    for (String address : addresses) {
      try (Socket socket = new Socket(InetAddress.getByName(address), 8080)) {
        assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("hello\n");
      }
    }
    TestPod client = live.pod("client");
    assertThat(
            live.output(
                client,
                TestContainer.running(
                    "bash",
                    "-c",
                    "cat <>/dev/tcp/%s/8080; ip -o addr show eth0 | wc -l"
                        .formatted(addresses.getFirst()))))
        .startsWith("hello\n");
  }

  @Test
  void connectionsReachPortsThatAreOpenWithinThePodAlone() throws Exception {
    TestPod pod = live.pod("local");
    serve(pod, "127.0.0.1");
    try (ByteChannel channel = live.runtime().connect(pod.id().uid(), 8080)) {
      assertThat(Channels.newInputStream(channel).readAllBytes()).asString().isEqualTo("hello\n");
      assertThat(channel.read(ByteBuffer.allocate(1))).isNegative();
    }
    assertThatThrownBy(() -> live.runtime().connect(pod.id().uid(), 8081))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("failed to connect to localhost:8081 inside the pod");
  }

  @Test
  void aPortOfTheMachineLeadsToThePodAlsoAfterARestart() throws Exception {
    int port = freePort();
    TestPod pod = TestPod.named("public").withPort(new HostPort("TCP", "127.0.0.1", port, 8080));
    live.runtime().startSandbox(pod.sandbox());
    serve(pod, "0.0.0.0");
    assertThat(fetch(port)).isEqualTo("hello\n");
    live.restart();
    assertThat(fetch(port)).isEqualTo("hello\n");

    TestPod other = TestPod.named("other").withPort(new HostPort("TCP", "127.0.0.1", port, 80));
    assertThatThrownBy(() -> live.runtime().startSandbox(other.sandbox()))
        .hasMessageContaining("host port %d/TCP cannot be opened".formatted(port));
    live.runtime().removeSandbox(pod.id().uid());
    assertThat(live.runtime().startSandbox(other.sandbox()).isReady()).isTrue();
  }

  /** As the plugin portmap of CNI has it. */
  @Test
  void aPodSeesWhoAskedAtAPortOfTheMachineAndIsReachedWhileNoAgentRuns() throws Exception {
    int port = freePort();
    TestPod server = TestPod.named("public").withPort(new HostPort("TCP", "", port, 8080));
    live.runtime().startSandbox(server.sandbox());
    serve(server, "0.0.0.0", "telling");
    TestPod client = live.pod("client");
    String machine = live.settings.podCidrs().get().getFirst().replace("0/24", "1");

    String asking = "cat <>/dev/tcp/%s/%d".formatted(machine, port);
    assertThat(live.output(client, TestContainer.running("bash", "-c", asking)))
        .isEqualTo("hello\n" + live.sandbox(client).addresses().getFirst());
    assertThat(live.output(server, TestContainer.running("bash", "-c", asking).named("asker")))
        .as("a pod reaches itself through the machine")
        .isEqualTo("hello\n" + machine);

    live.leave();
    assertThat(fetch(machine, port)).isEqualTo("hello\n" + machine);
    live.comeBack();
    assertThat(fetch(machine, port)).isEqualTo("hello\n" + machine);
    live.runtime().removeSandbox(server.id().uid());
    assertThatThrownBy(() -> fetch(machine, port)).isInstanceOf(ConnectException.class);
  }

  @Test
  void onePortLeadsToDifferentPodsByAddressAndProtocol() throws Exception {
    int port = freePort();
    String machine = live.settings.podCidrs().get().getFirst().replace("0/24", "1");
    live.pod("first"); // the machine has its address on the bridge from then on
    for (HostPort each :
        List.of(
            new HostPort("TCP", "127.0.0.1", port, 8080),
            new HostPort("TCP", machine, port, 8080),
            new HostPort("UDP", machine, port, 8080),
            new HostPort("SCTP", machine, port, 8080))) {
      TestPod pod =
          TestPod.named(each.protocol().toLowerCase(Locale.ROOT) + each.hostAddress().length())
              .withPort(each);
      live.runtime().startSandbox(pod.sandbox());
      if (each.protocol().equals("TCP")) {
        serve(pod, "0.0.0.0", "telling");
      }
    }
    assertThat(fetch(machine, port)).isEqualTo("hello\n" + machine);
    assertThat(fetch("127.0.0.1", port)).startsWith("hello\n");
    TestPod second = TestPod.named("second").withPort(new HostPort("SCTP", "", port, 80));
    assertThatThrownBy(() -> live.runtime().startSandbox(second.sandbox()))
        .hasMessageContaining(
            "host port %d/SCTP cannot be opened: another pod has it".formatted(port));
  }

  /** A free one that the kernel gives to nobody who asks for any. */
  private static int freePort() throws IOException {
    for (long number = ProcessHandle.current().pid(); ; number++) {
      int port = 10_000 + (int) (number % 20_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody has it; so the next one.
      }
    }
  }

  private static String fetch(int port) throws IOException {
    return fetch("127.0.0.1", port);
  }

  private static String fetch(String address, int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName(address), port)) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
