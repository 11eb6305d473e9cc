package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.time.FatalError;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A containerd of the tests' own: its root, state, socket, network and images are in a directory
 * that is gone when it is closed.
 */
public final class Containerd implements AutoCloseable {
  /** With a shell and busybox. */
  public static final String IMAGE = "localhost/busybox:1";

  private static final int PATIENCE_SECONDS = 120;
  private static final int MOST_LOOKS = 12_000;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);
  private static final String PAUSE = "localhost/pause:1";

  public final Path root;
  private final String bridge;
  private final String subnet;
  private Process process;

  public Containerd() throws IOException, InterruptedException {
    checkMachine();
    root = Files.createTempDirectory("berth-containerd");
    long number = ProcessHandle.current().pid();
    bridge = "bcd" + number;
    subnet = "10.%d.%d.0/24".formatted(216 + number % 8, number / 8 % 256);
    configure();
    bindNamespaces();
    process = start();
    load(
        TestImage.make(
            root.resolve("pause"),
            PAUSE,
            "/usr/bin/catatonit",
            List.of(),
            "[\"/usr/bin/catatonit\",\"-P\"]"));
    List<String> commands =
        Stream.of(
                "sh", "cat", "echo", "sleep", "grep", "hostname", "tty", "stty", "id", "ls", "wget")
            .map(each -> "/bin/" + each)
            .toList();
    load(TestImage.make(root.resolve("busybox"), IMAGE, "/bin/busybox", commands, "[]"));
  }

  /** For measurements: prints its endpoint and an image, and ends with its input. */
  static void main() throws Exception {
    Containerd containerd = new Containerd();
    try (WallTime time = new WallTime(FatalError::end)) {
      System.out.printf("unix://%s %s%n", containerd.socket(), IMAGE);
      System.in.transferTo(OutputStream.nullOutputStream());
      containerd.close(RemoteRuntimes.load().connect(containerd.settings(time)));
    }
  }

  private static void checkMachine() {
    TestImage.need("/usr/bin/containerd", "containerd");
    TestImage.need("/usr/sbin/runc", "runc");
    TestImage.need("/usr/lib/cni/bridge", "containernetworking-plugins");
    TestImage.need("/usr/bin/catatonit", "catatonit");
    TestImage.need("/bin/busybox", "busybox-static");
  }

  /**
   * The first "ip netns add" of a machine mounts the directory of network namespaces over itself,
   * which would hide the mounts that containerd has to remove: so that is done before.
   */
  private void bindNamespaces() throws IOException {
    TestImage.run("ip", "netns", "add", bridge);
    TestImage.run("ip", "netns", "delete", bridge);
  }

  private void configure() throws IOException {
    Files.createDirectories(root.resolve("cni"));
    Files.writeString(
        root.resolve("cni/10-pods.conflist"),
        """
        {"cniVersion":"0.4.0","name":"%s","plugins":[
          {"type":"bridge","bridge":"%s","isGateway":true,"ipMasq":false,
           "ipam":{"type":"host-local","dataDir":"%s","ranges":[[{"subnet":"%s"}]],
                   "routes":[{"dst":"0.0.0.0/0"}]}},
          {"type":"portmap","capabilities":{"portMappings":true}}]}
        """
            .formatted(bridge, bridge, root.resolve("cni-data"), subnet));
    Files.writeString(
        root.resolve("config.toml"),
        """
        version = 2
        root = "%1$s/root"
        state = "%1$s/state"
        disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
        [grpc]
          address = "%1$s/containerd.sock"
        [plugins."io.containerd.internal.v1.opt"]
          path = "%1$s/opt"
        [plugins."io.containerd.grpc.v1.cri"]
          sandbox_image = "%2$s"
          restrict_oom_score_adj = true
          disable_tcp_service = true
          stream_server_address = "127.0.0.1"
          stream_server_port = "0"
          [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
            runtime_type = "io.containerd.runc.v2"
            [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
              BinaryName = "/usr/sbin/runc"
              SystemdCgroup = false
          [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.other]
            runtime_type = "io.containerd.runc.v2"
            [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.other.options]
              BinaryName = "/usr/sbin/runc"
              SystemdCgroup = false
          [plugins."io.containerd.grpc.v1.cri".cni]
            bin_dir = "/usr/lib/cni"
            conf_dir = "%1$s/cni"
          [plugins."io.containerd.grpc.v1.cri".registry.mirrors]
        """
            .formatted(root, PAUSE));
  }

  private Process start() throws IOException, InterruptedException {
    Process started =
        new ProcessBuilder("containerd", "-c", root.resolve("config.toml").toString())
            .redirectErrorStream(true)
            .start();
    CountDownLatch booted = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(() -> {
          try (BufferedReader said =
              new BufferedReader(new InputStreamReader(started.getInputStream(), UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
              Files.writeString(
                  root.resolve("log"),
                  line + "\n",
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND);
              if (line.contains("containerd successfully booted")) {
                booted.countDown();
              }
            }
          } catch (IOException _) {
            // It has ended.
            booted.countDown();
          }
        });
    if (!booted.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || !isServing()) {
      throw new IOException("containerd does not start: " + Files.readString(root.resolve("log")));
    }
    return started;
  }

  /** It listens before it has found again what it runs, and refuses to say anything until then. */
  private boolean isServing() throws IOException {
    for (int look = 0; look < MOST_LOOKS; look++) {
      String log = Files.readString(root.resolve("log"));
      int started = log.lastIndexOf("starting containerd");
      if (log.indexOf("Start streaming server", started) >= 0) {
        return true;
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
    return false;
  }

  private void load(TestImage image) throws IOException {
    TestImage.run(
        "ctr",
        "-a",
        socket().toString(),
        "-n",
        "k8s.io",
        "images",
        "import",
        image.archive().toString());
  }

  public Path socket() {
    return root.resolve("containerd.sock");
  }

  /** Ends it as a crash would; what it runs goes on. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  public void comeBack() throws IOException, InterruptedException {
    process = start();
  }

  public RemoteRuntimes.Settings settings(Time time) {
    return settings(time, LogRotation.DEFAULT);
  }

  public RemoteRuntimes.Settings settings(Time time, LogRotation logs) {
    return new RemoteRuntimes.Settings(
        socket(),
        socket(),
        Duration.ofMinutes(2),
        root.resolve("logs"),
        logs,
        OptionalLong.of(1024),
        () -> List.of(subnet),
        Path.of("/sys"),
        time);
  }

  /** Removes all pods, ends, and takes away what is left. */
  public void close(ContainerRuntime runtime) throws Exception {
    for (PodSandbox pod : runtime.list()) {
      runtime.removeSandbox(pod.pod().uid());
    }
    runtime.close();
    close();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    if (Files.exists(Path.of("/sys/class/net", bridge))) {
      TestImage.run("ip", "link", "delete", bridge);
    }
    for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo")).reversed()) {
      String place = line.split(" ", -1)[4];
      if (place.startsWith(root.toString())) {
        TestImage.run("umount", "-l", place);
      }
    }
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
