package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A pod on this machine. What changes it holds its lock; reading needs none.
 *
 * <p>Its directory has {@code sandbox.json}, {@code made} once all of it was there, {@code stopped}
 * once it was stopped, the pod's files of {@code etc}, the files of its namespaces in {@code ns},
 * its shared memory {@code shm}, and {@code containers}.
 */
final class Sandbox {
  private final SandboxState state;
  private final Path directory;
  private final List<Container> containers = new CopyOnWriteArrayList<>();
  ReentrantLock lock = new ReentrantLock();

  Sandbox(SandboxState state, Path directory) {
    this.state = state;
    this.directory = directory;
  }

  static Path directory(Path pods, String uid) {
    return pods.resolve(uid).resolve("sandbox");
  }

  static Path stateFile(Path directory) {
    return directory.resolve("sandbox.json");
  }

  /** A pod of which there is nothing yet. */
  static Sandbox absent(ProcessSettings settings, SandboxSpec spec) {
    return new Sandbox(
        SandboxState.of(spec, List.of(), "", "", settings.time().now()),
        directory(settings.pods(), spec.pod().uid()));
  }

  boolean isAbsent() {
    return state.cgroup().isEmpty();
  }

  /** Takes over what there is of a pod whose sandbox is made anew, and who waits for it. */
  void takeOver(Sandbox before) {
    lock = before.lock;
    containers.addAll(before.containers);
  }

  SandboxState state() {
    return state;
  }

  Path directory() {
    return directory;
  }

  Path etc() {
    return directory.resolve("etc");
  }

  /** Where its containers' logs are. */
  Path logs() {
    return state.logs().isEmpty() ? directory.resolve("logs") : Path.of(state.logs());
  }

  PodNamespaces namespaces() {
    return new PodNamespaces(directory.resolve("ns"), state);
  }

  /** The directory that is /dev/shm in its containers. */
  Path sharedMemory() {
    return state.hostIpc() ? Path.of("/dev/shm") : directory.resolve("shm");
  }

  List<Container> containers() {
    return containers;
  }

  void add(Container container) {
    containers.add(container);
  }

  void remove(Container container) {
    containers.remove(container);
  }

  Optional<Container> find(String name, int attempt) {
    return containers.stream()
        .filter(each -> each.state().name().equals(name) && each.state().attempt() == attempt)
        .findFirst();
  }

  boolean isStopped() {
    return Files.exists(directory.resolve("stopped"));
  }

  void noteStopped() throws IOException {
    StateFiles.write(directory.resolve("stopped"), new byte[0]);
  }

  /** There once all of it was made. */
  static Path madeFile(Path directory) {
    return directory.resolve("made");
  }

  boolean isReady() {
    return !isStopped() && Files.exists(madeFile(directory)) && namespaces().exist();
  }

  PodSandbox status() {
    List<Container> inOrder = new ArrayList<>(containers);
    inOrder.sort(Comparator.comparingLong(each -> each.state().order()));
    return new PodSandbox(
        state.pod(),
        state.created(),
        isReady(),
        state.addresses(),
        inOrder.stream().map(Container::status).toList());
  }
}
