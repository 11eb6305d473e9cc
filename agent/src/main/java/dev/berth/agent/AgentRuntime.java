package dev.berth.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.cgroup.PodClasses;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.DirectoryLock;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.process.ProcessRuntime;
import dev.berth.agent.runtime.process.ProcessSettings;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.agent.runtime.remote.RuntimeEndpoint;
import dev.berth.time.Time;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Which runtime an agent has: processes, or another program that it speaks CRI with. A file in the
 * agent's directory says which other program it is, so that whoever removes the agent's pods finds
 * them.
 */
final class AgentRuntime implements Closeable {
  private static final String FILE = "container-runtime-endpoint";
  private static final String LOCK = "agent.lock";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** Something to give back. */
  @FunctionalInterface
  private interface Release {
    void run() throws IOException;
  }

  private final ContainerRuntime runtime;
  private final Release lock;

  private AgentRuntime(ContainerRuntime runtime, Release lock) {
    this.runtime = runtime;
    this.lock = lock;
  }

  ContainerRuntime runtime() {
    return runtime;
  }

  @Override
  public void close() throws IOException {
    runtime.close();
    lock.run();
  }

  static AgentRuntime start(AgentSettings settings, Supplier<List<String>> podCidrs, Time time)
      throws IOException {
    LogRotation logs = new LogRotation(settings.logs().fileBytes(), settings.logs().files());
    AgentSettings.RuntimeSettings about = settings.runtime();
    Path root = settings.root();
    if (about.endpoint().isEmpty()) {
      if (isRemote(root)) {
        throw new IOException(
            "the pods in %s run in %s: give --container-runtime-endpoint, or remove them with \"berth reset\""
                .formatted(root, endpoint(root)));
      }
      // It has a lock of its own.
      return new AgentRuntime(
          new ProcessRuntime(
              ProcessSettings.of(root, podCidrs, settings.logs().directory(), logs, time)),
          () -> {});
    }
    if (ProcessRuntime.wasIn(root)) {
      throw new IOException(
          "the pods in %s run as processes: leave out --container-runtime-endpoint, or remove them with \"berth reset\""
              .formatted(root));
    }
    Files.createDirectories(root);
    FileLock lock = lock(root);
    Files.writeString(
        root.resolve(FILE), about.endpoint() + "\n" + settings.logs().directory() + "\n");
    String images = about.imageEndpoint().isEmpty() ? about.endpoint() : about.imageEndpoint();
    RemoteRuntimes.Settings remote =
        new RemoteRuntimes.Settings(
            RuntimeEndpoint.socket(about.endpoint()),
            RuntimeEndpoint.socket(images),
            about.timeout(),
            settings.logs().directory().toAbsolutePath(),
            logs,
            settings.pods().pidLimit(),
            podCidrs,
            Path.of("/sys"),
            time);
    return new AgentRuntime(RemoteRuntimes.load().connect(remote), lock.acquiredBy()::close);
  }

  private static FileLock lock(Path root) throws IOException {
    return DirectoryLock.take(root, LOCK);
  }

  /** The endpoint of the other program that runs the pods of a directory; empty if none does. */
  static Optional<String> remote(Path root) throws IOException {
    return isRemote(root) ? Optional.of(endpoint(root)) : Optional.empty();
  }

  private static boolean isRemote(Path root) {
    return Files.isRegularFile(root.resolve(FILE));
  }

  private static String endpoint(Path root) throws IOException {
    return Files.readAllLines(root.resolve(FILE), UTF_8).getFirst();
  }

  /**
   * Makes sure that no agent runs in a directory.
   *
   * @throws IOException if one does
   */
  static void requireFree(Path root) throws IOException {
    DirectoryLock.requireFree(root, LOCK);
    ProcessRuntime.requireFree(root);
  }

  /** Whether an agent has run pods of this directory. */
  static boolean wasIn(Path root) {
    return isRemote(root) || ProcessRuntime.wasIn(root);
  }

  static long runningPods(Path root, Time time) throws IOException {
    if (!isRemote(root)) {
      return ProcessRuntime.runningPods(root);
    }
    try (ContainerRuntime runtime = reopened(root, time)) {
      return runtime.list().stream()
          .filter(pod -> pod.containers().stream().anyMatch(ContainerStatus::isRunning))
          .count();
    } catch (RuntimeFailure e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Removes all pods of an agent that has ended. */
  static void remove(Path root, Time time) throws IOException {
    if (isRemote(root)) {
      try (Closeable _ = lock(root).acquiredBy();
          ContainerRuntime runtime = reopened(root, time)) {
        for (PodSandbox sandbox : runtime.list()) {
          runtime.removeSandbox(sandbox.pod().uid());
        }
        new PodClasses(
                Cgroups.of(Path.of("/sys")), runtime.details().text("cgroupParent", "kubepods"))
            .removeUnused();
      } catch (RuntimeFailure e) {
        throw new IOException(e.getMessage(), e);
      }
      Files.delete(root.resolve(FILE));
      return;
    }
    ProcessSettings settings =
        ProcessSettings.of(root, List::of, root.resolve("logs"), LogRotation.DEFAULT, time);
    try (ProcessRuntime runtime = new ProcessRuntime(settings)) {
      runtime.reset();
    } catch (RuntimeFailure e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static ContainerRuntime reopened(Path root, Time time) throws IOException {
    List<String> lines = Files.readAllLines(root.resolve(FILE), UTF_8);
    Path socket = RuntimeEndpoint.socket(lines.getFirst());
    return RemoteRuntimes.load()
        .connect(
            new RemoteRuntimes.Settings(
                socket,
                socket,
                TIMEOUT,
                Path.of(lines.getLast()),
                LogRotation.DEFAULT,
                OptionalLong.empty(),
                List::of,
                Path.of("/sys"),
                time));
  }
}
