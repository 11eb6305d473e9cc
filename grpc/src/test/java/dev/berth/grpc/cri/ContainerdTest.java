package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.image.ImageAccess;
import dev.berth.agent.image.ImageCollector;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeContract;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.SandboxSpec.HostPort;
import dev.berth.agent.runtime.Session;
import dev.berth.agent.runtime.process.TestContainer;
import dev.berth.agent.runtime.process.TestPod;
import dev.berth.grpc.criapi.Cri;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.policy.image.ImageGarbage;
import dev.berth.policy.image.ImageVerification;
import dev.berth.policy.image.RegistryLogin;
import dev.berth.time.Time;
import dev.berth.time.VirtualTime;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Containers in a real containerd keep to the contract, and to what CRI has beside it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainerdTest extends RuntimeContract {
  private final Time time = new WallTime(_ -> {});
  private Containerd containerd;
  private ContainerRuntime runtime;

  @BeforeAll
  void open() throws Exception {
    containerd = new Containerd();
    runtime = new CriRuntimes().connect(containerd.settings(time));
  }

  @AfterAll
  void close() throws Exception {
    containerd.close(runtime);
  }

  @Override
  protected ContainerRuntime runtime() {
    return runtime;
  }

  @Override
  protected void restart() {
    runtime.close();
    runtime = new CriRuntimes().connect(containerd.settings(time));
  }

  @Override
  protected String image() {
    return Containerd.IMAGE;
  }

  private String said(ContainerStatus container, String script) throws Exception {
    try (Session session =
        runtime.exec(container.id(), new ExecSpec(List.of("sh", "-c", script), false, false))) {
      return new String(session.stdout().readAllBytes(), UTF_8);
    }
  }

  @Test
  void saysWhatItIs() throws Exception {
    assertThat(runtime.list()).isNotNull();
    assertThat(runtime.version()).startsWith("containerd://1.");
    assertThat(runtime.idPrefix()).isEqualTo("containerd://");
    assertThat(runtime.details().text("cgroupParent", "")).isEqualTo("kubepods");
    assertThat(runtime.details().array("conditions").objects())
        .extracting(each -> each.text("type", "") + "=" + each.text("status", ""))
        .contains("RuntimeReady=True", "NetworkReady=True");
    assertThat(runtime.imageFilesystem()).hasValueSatisfying(place -> assertThat(place).exists());
    assertThat(runtime.images()).anyMatch(image -> image.names().contains(Containerd.IMAGE));
  }

  @Test
  void saysThatItIsTooOldToMountImages() throws Exception {
    TestPod pod = pod(TestPod.named("d-mounts"));
    assertThatThrownBy(() ->
            start(pod, TestContainer.running("true").mountingImage(Containerd.IMAGE, "", "/v")))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageMatching(
            "ImageVolumeMountFailed: containerd 1\\..* cannot mount images as volumes, which takes"
                + " containerd 2\\.1 or later");
    assertThat(runtime.find(pod.id().uid()).orElseThrow().containers()).isEmpty();
  }

  @Test
  void containersOutliveContainerdAndTheAgent() throws Exception {
    TestPod pod = pod(TestPod.named("d-killed"));
    ContainerStatus running =
        start(
            pod,
            TestContainer.script("echo up; trap 'exit 6' TERM; while :; do sleep 60 & wait; done"));
    awaitLine(running, "up");
    PodSandbox before = runtime.find(pod.id().uid()).orElseThrow();

    containerd.kill();
    assertThatThrownBy(() -> runtime.find(pod.id().uid()))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageStartingWith("rpc error: code = Unavailable");
    containerd.comeBack();
    assertThat(runtime.find(pod.id().uid())).contains(before);

    containerd.kill();
    runtime.close();
    containerd.comeBack();
    runtime = new CriRuntimes().connect(containerd.settings(time));
    assertThat(runtime.list()).contains(before);
    assertThat(said(running, "echo still")).isEqualTo("still\n");
    runtime.signal(running.id(), "");
    assertThat(awaitExit(pod, running).code()).isEqualTo(6);
  }

  @Test
  void aSandboxThatIsGoneIsReplacedAndItsContainersStayKnown() throws Exception {
    TestPod pod = pod(TestPod.named("d-replaced"));
    ContainerStatus first = start(pod, TestContainer.script("echo one"));
    awaitExit(pod, first);
    runtime.stopSandbox(pod.id().uid());
    PodSandbox replaced = runtime.startSandbox(pod.sandbox());
    assertThat(replaced.isReady()).isTrue();
    assertThat(replaced.containers()).extracting(ContainerStatus::id).containsExactly(first.id());
    ContainerStatus second = start(pod, TestContainer.script("echo two").attempt(1));
    awaitExit(pod, second);
    runtime.removeContainer(first.id());
    assertThat(runtime.find(pod.id().uid()).orElseThrow().containers())
        .extracting(ContainerStatus::id)
        .containsExactly(second.id());
  }

  @Test
  void sharesWhatItsSpecificationSays() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    TestPod forwarded =
        pod(TestPod.named("d-port").withPort(new HostPort("TCP", "127.0.0.1", port, 8080)));
    ContainerStatus server =
        start(forwarded, TestContainer.script("echo up; exec busybox nc -ll -p 8080 -e echo hi"));
    awaitLine(server, "up");
    ContainerStatus debugger =
        start(
            forwarded, TestContainer.script("cat /proc/1/cmdline").named("debugger").among("main"));
    awaitExit(forwarded, debugger);
    assertThat(log(debugger)).contains("nc");
    said(server, "until busybox nc 127.0.0.1 8080 </dev/null; do :; done");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("hi\n");
    }

    TestPod host = pod(TestPod.named("d-host").withHostNetwork().withHostPid());
    assertThat(runtime.find(host.id().uid()).orElseThrow().addresses()).isEmpty();
    ContainerStatus inHost = start(host, TestContainer.script("sleep 600"));
    assertThat(said(inHost, "ls /sys/class/net")).contains("lo\n");
    assertThat(said(inHost, "ls -d /proc/" + ProcessHandle.current().pid())).isNotEmpty();

    TestPod tuned =
        pod(TestPod.named("d-sysctl").withSysctl("net.ipv4.ip_local_port_range", "2000 2100"));
    assertThat(output(tuned, TestContainer.script("cat /proc/sys/net/ipv4/ip_local_port_range")))
        .isEqualTo("2000\t2100\n");
    assertThat(
            output(
                tuned,
                TestContainer.script(
                        "cat /etc/resolv.conf; echo x 2>/dev/null >/y || echo read-only")
                    .named("dns")
                    .readOnly()))
        .contains("nameserver 10.96.0.10")
        .contains("ndots:5")
        .contains("read-only");
  }

  @Test
  void podsAreLimitedByCgroupsAsAKubeletLaysThemOut() throws Exception {
    TestPod pod = pod(TestPod.named("d-groups"));
    Path memory = Path.of("/sys/fs/cgroup/memory/kubepods/besteffort/pod" + pod.id().uid());
    Path pids = Path.of("/sys/fs/cgroup/pids/kubepods/besteffort/pod" + pod.id().uid());
    assertThat(pids.resolve("pids.max")).hasContent("1024");
    ContainerStatus container = start(pod, TestContainer.patient().memory(64L << 20));
    Path own = memory.resolve(container.id());
    assertThat(own.resolve("memory.limit_in_bytes")).hasContent("" + (64L << 20));
    runtime.resize(container.id(), limits(96L << 20));
    runtime.resizePod(pod.id().uid(), limits(128L << 20));
    assertThat(own.resolve("memory.limit_in_bytes")).hasContent("" + (96L << 20));
    assertThat(memory.resolve("memory.limit_in_bytes")).hasContent("" + (128L << 20));
    runtime.removeSandbox(pod.id().uid());
    try (Stream<Path> trees = Files.list(Path.of("/sys/fs/cgroup"))) {
      assertThat(trees)
          .noneMatch(
              tree -> Files.exists(tree.resolve("kubepods/besteffort/pod" + pod.id().uid())));
    }
  }

  private static Limits limits(long bytes) {
    return new Limits(
        512,
        Optional.of(CpuQuota.ofMillis(500, CpuQuota.USUAL_PERIOD)),
        OptionalLong.of(bytes),
        OptionalLong.of(0),
        OptionalLong.empty(),
        1000,
        "",
        "",
        true);
  }

  @Test
  void logsThatAreTooLargeArePutAside() throws Exception {
    VirtualTime ticking = new VirtualTime(1, _ -> {});
    ContainerRuntime rotating =
        new CriRuntimes().connect(containerd.settings(ticking, new LogRotation(2000, 2)));
    TestPod pod = pod(TestPod.named("d-logs"));
    ContainerStatus container =
        start(
            pod,
            TestContainer.script(
                    "while read word; do i=0; while [ $i -lt 60 ]; do echo $word $i; i=$((i+1));"
                        + " done; echo $word; done")
                .stdin(false));
    try (Session session = runtime.attach(container.id(), true)) {
      for (String word : List.of("one", "two", "three")) {
        session.stdin().write((word + "\n").getBytes(UTF_8));
        awaitLine(container, word);
        ticking.advance(Duration.ofSeconds(10));
      }
      session.stdin().write("four\n".getBytes(UTF_8));
      awaitLine(container, "four");
    }
    assertThat(log(container)).startsWith("four 0\n").endsWith("four\n");
    try (Stream<Path> files = Files.list(Path.of(container.logFile()).resolveSibling(""))) {
      assertThat(files).hasSize(2);
    }
    rotating.close();
  }

  @Test
  void pullsImagesWithALoginAndRemovesThem() throws Exception {
    try (TestRegistry registry = new TestRegistry()) {
      String image = registry.push("team/app", "1");
      TestPod pod = TestPod.named("d-pull");
      assertThat(runtime.findImage(image)).isEmpty();
      assertThatThrownBy(() -> runtime.pullImage(image, pod.id(), List.of()))
          .isInstanceOfSatisfying(
              RuntimeFailure.class,
              failure -> assertThat(failure.reason()).isEqualTo("ErrImagePull"))
          .hasMessageContaining("401 Unauthorized");
      assertThat(
              runtime.pullImage(
                  image,
                  pod.id(),
                  List.of(
                      new RegistryLogin(TestRegistry.USER, "wrong"),
                      new RegistryLogin(TestRegistry.USER, TestRegistry.PASSWORD))))
          .satisfies(pulled -> {
            assertThat(pulled.image().bytes()).isPositive();
            assertThat(pulled.image()).isEqualTo(runtime.findImage(image).orElseThrow());
            assertThat(pulled.login().orElseThrow().password()).isEqualTo(TestRegistry.PASSWORD);
          });
      pod(pod);
      ContainerStatus container =
          runtime.start(TestContainer.script("echo pulled").image(image).spec(pod));
      awaitExit(pod, container);
      assertThat(log(container)).isEqualTo("pulled\n");
      assertThat(container.imageId()).contains("sha256:");
      runtime.removeContainer(container.id());
      runtime.removeImage(runtime.findImage(image).orElseThrow().id());
      assertThat(runtime.findImage(image)).isEmpty();
    }
  }

  @Test
  void aDiskAboveTheThresholdLosesWhatNobodyNeeds() throws Exception {
    VirtualTime ticking = new VirtualTime(1, _ -> {});
    TestPod pod = pod(TestPod.named("d-full"));
    start(pod, TestContainer.script("sleep 600"));
    Metrics metrics = new Metrics();
    try (TestRegistry registry = new TestRegistry();
        ImageCollector _ =
            ImageCollector.start(
                new ImageCollector.Parts(
                    ticking,
                    metrics,
                    runtime,
                    new ImageAccess(ticking, runtime, ImageVerification.DEFAULT, containerd.root),
                    new ImageGarbage.Settings(0, 0, Duration.ZERO, Duration.ZERO),
                    (_, _) -> {}))) {
      String image = registry.push("team/unused", "1");
      runtime.pullImage(
          image, pod.id(), List.of(new RegistryLogin(TestRegistry.USER, TestRegistry.PASSWORD)));
      ticking.advance(Duration.ofMinutes(5));
      assertThat(runtime.findImage(image)).isEmpty();
    }
    assertThat(runtime.images())
        .as("the one that a container has, and the one of all sandboxes")
        .flatExtracting(Image::names)
        .contains(Containerd.IMAGE, "localhost/pause:1");
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains("kubelet_image_garbage_collected_total{reason=\"space\"}");
    assertThat(pod(TestPod.named("d-after"))).isNotNull();
  }

  @Test
  void aPodRunsWithTheHandlerThatItsClassNames() throws Exception {
    TestPod pod = TestPod.named("d-other");
    runtime.startSandbox(pod.sandbox().withHandler("other"));
    try (CriConnection connection = new CriConnection(containerd.settings(time))) {
      assertThat(new CriPods(connection, containerd.root).sandboxes(pod.id().uid()))
          .extracting(Cri.PodSandbox::getRuntimeHandler)
          .containsExactly("other");
    }
    runtime.removeSandbox(pod.id().uid());
  }

  @Test
  void anUnknownRuntimeHandlerIsRefused() throws IOException {
    TestPod pod = TestPod.named("d-handler");
    assertThatThrownBy(() -> runtime.startSandbox(pod.sandbox().withHandler("absent")))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("no runtime for \"absent\" is configured");
  }
}
