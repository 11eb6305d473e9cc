package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A process runtime on this machine, with names of its own for all that it makes, which are gone
 * when it is closed. Without root it fails, and says so.
 */
final class LiveRuntime implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final Time time = new WallTime(_ -> {});
  final Path root;
  final ProcessSettings settings;
  private ProcessRuntime runtime;
  private final Object changed = new Object();

  LiveRuntime() throws IOException {
    this(LogRotation.DEFAULT);
  }

  LiveRuntime(LogRotation rotation) throws IOException {
    this(Files.createTempDirectory("berth-runtime"), rotation);
  }

  LiveRuntime(Path root, LogRotation rotation) throws IOException {
    this.root = root;
    settings = settings(root, rotation, time);
    runtime = open();
  }

  /** Settings under which nothing collides with other tests or a real agent. */
  static ProcessSettings settings(Path root, LogRotation rotation, Time time) {
    int number = NUMBER.incrementAndGet();
    long process = ProcessHandle.current().pid();
    String unique = process + "x" + number;
    int range = (int) ((process * 7 + number) % 4000);
    List<String> cidrs =
        List.of(
            "10.%d.%d.0/24".formatted(200 + range / 256, range % 256),
            "fd00:be:%x::/64".formatted(range));
    return new ProcessSettings(
        root,
        () -> cidrs,
        Path.of("/sys"),
        Path.of("/proc"),
        "berthtest" + unique,
        "bt" + unique,
        1024,
        root.resolve("logs"),
        rotation,
        time);
  }

  private ProcessRuntime open() throws IOException {
    ProcessRuntime opened = new ProcessRuntime(settings);
    opened.onChange(_ -> {
      synchronized (changed) {
        changed.notifyAll();
      }
    });
    return opened;
  }

  ProcessRuntime runtime() {
    return runtime;
  }

  /** Lets go of all containers and begins again, as a restarted agent does. */
  void restart() throws IOException {
    runtime.close();
    runtime = open();
  }

  /** Lets go of all containers. */
  void leave() {
    runtime.close();
  }

  void comeBack() throws IOException {
    runtime = open();
  }

  /** A pod with a sandbox. */
  TestPod pod(String name) throws RuntimeFailure {
    TestPod pod = TestPod.named(name);
    runtime.startSandbox(pod.sandbox());
    return pod;
  }

  PodSandbox sandbox(TestPod pod) {
    return runtime.list().stream()
        .filter(each -> each.pod().equals(pod.id()))
        .findFirst()
        .orElseThrow();
  }

  ContainerStatus status(String containerId) {
    return runtime.list().stream()
        .flatMap(each -> each.containers().stream())
        .filter(each -> each.id().equals(containerId))
        .findFirst()
        .orElseThrow();
  }

  /** Waits for the runtime to say that something is as it should be. */
  void await(BooleanSupplier condition) throws InterruptedException {
    Instant began = time.monotonicNow();
    synchronized (changed) {
      while (!condition.getAsBoolean()) {
        long left = PATIENCE.minus(time.since(began)).toMillis();
        assertThat(left).as("time left to wait for a change").isPositive();
        changed.wait(Math.min(left, 1000));
      }
    }
  }

  ContainerStatus.Exit awaitExit(ContainerStatus container) throws InterruptedException {
    await(() -> !status(container.id()).isRunning());
    return Objects.requireNonNull(status(container.id()).exit());
  }

  /** Runs a script to its end and gives what it wrote, both streams together. */
  String output(TestPod pod, TestContainer container)
      throws RuntimeFailure, InterruptedException, IOException {
    ContainerStatus started = runtime.start(container.spec(pod));
    awaitExit(started);
    return log(started);
  }

  /** A log without times, streams and marks. */
  static String log(ContainerStatus container) throws IOException {
    StringBuilder text = new StringBuilder();
    String all = Files.readString(Path.of(container.logFile()));
    // Of one that is still written, the last record may not be whole yet.
    for (String record : all.substring(0, all.lastIndexOf('\n') + 1).lines().toList()) {
      String[] parts = record.split(" ", 4);
      text.append(parts[3]).append(parts[2].equals("F") ? "\n" : "");
    }
    return text.toString();
  }

  /** Waits until a container has written a line. */
  void awaitLine(ContainerStatus container, String line) throws IOException {
    Instant began = time.monotonicNow();
    while (!hasWritten(container, line)) {
      assertThat(time.since(began)).as("waiting for " + line).isLessThan(PATIENCE);
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
  }

  /** Whether a line is in a log that is still written, and may be put aside at any moment. */
  private static boolean hasWritten(ContainerStatus container, String line) throws IOException {
    try {
      // A line that was written in pieces may have been read in pieces.
      return log(container).lines().anyMatch(line::equals);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** What is left on the machine of all that this runtime made; empty after a reset. */
  List<String> leftovers() throws IOException {
    List<String> mounts =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .filter(line -> line.contains(root.toString()))
            .toList();
    List<String> cgroups =
        Cgroups.of(settings.sys()).joinFiles(settings.cgroupParent()).stream()
            .filter(Files::exists)
            .map(Path::toString)
            .toList();
    List<String> processes =
        ProcessHandle.allProcesses()
            .filter(each -> each.info().commandLine().orElse("").contains(root.toString() + "/"))
            .map(each -> each.pid() + " " + each.info().commandLine().orElse(""))
            .toList();
    List<String> devices =
        Files.exists(Path.of("/sys/class/net", settings.bridge()))
            ? List.of(settings.bridge())
            : List.of();
    return Stream.of(mounts, cgroups, processes, devices).flatMap(List::stream).toList();
  }

  @Override
  public void close() throws IOException, RuntimeFailure {
    runtime.reset();
    runtime.close();
    // Shims end once they are told to, which takes them a moment.
    Instant began = time.monotonicNow();
    while (!leftovers().isEmpty() && time.since(began).compareTo(PATIENCE) < 0) {
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
    assertThat(leftovers()).isEmpty();
    StateFiles.delete(root);
  }
}
