package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.cgroup.PodClasses;
import dev.berth.agent.nativecalls.Mounts;
import dev.berth.agent.network.AddressPool;
import dev.berth.agent.network.Bridge;
import dev.berth.agent.network.HostPorts;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.NodeAllocatable;
import dev.berth.agent.runtime.PodUsage.Interface;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.SandboxSpec;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what the containers of a pod share, and removes it. The caller holds the pod's lock. */
final class SandboxMaker {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** As containerd has it. */
  private static final String SHARED_MEMORY = "mode=1777,size=65536k";

  private final ProcessSettings settings;
  private final Cgroups cgroups;
  private final PodClasses groups;
  private final Shim shim;
  private final Bridge bridge;
  private final AddressPool addresses = new AddressPool();
  private final HostPorts hostPorts;

  SandboxMaker(ProcessSettings settings, Cgroups cgroups, Shim shim) {
    this.settings = settings;
    this.cgroups = cgroups;
    this.groups = new PodClasses(cgroups, settings.cgroupParent());
    this.shim = shim;
    this.bridge = new Bridge(settings.bridge(), settings.sys(), settings.proc());
    this.hostPorts = new HostPorts(settings.bridge());
  }

  /** Takes over the addresses and ports of a pod that was there before. */
  void adopt(Sandbox sandbox) {
    if (sandbox.isStopped()) {
      return;
    }
    addresses.take(sandbox.state().addresses());
    try {
      openPorts(sandbox);
    } catch (IOException e) {
      LOG.warn("pod {}: {}", sandbox.state().pod(), e.getMessage());
    }
  }

  /** Has taken over all pods that were there before. */
  void ready() {
    hostPorts.ready();
  }

  private void openPorts(Sandbox sandbox) throws IOException {
    // With the machine's network, the pod has them by itself.
    if (!sandbox.state().hostNetwork()) {
      SandboxState state = sandbox.state();
      hostPorts.open(state.pod().uid(), state.ports(), state.addresses());
    }
  }

  /** Makes a pod's sandbox; whatever there was of it before is gone but for its containers. */
  Sandbox make(SandboxSpec spec) throws RuntimeFailure {
    Map<String, String> sysctls = Sysctls.of(spec);
    List<String> cidrs = spec.hostNetwork() ? List.of() : settings.podCidrs().get();
    if (!spec.hostNetwork() && cidrs.isEmpty()) {
      throw new RuntimeFailure(
          "CreatePodSandboxError",
          "network is not ready: the node has no pod CIDR yet (spec.podCIDR)");
    }
    Path directory = Sandbox.directory(settings.pods(), spec.pod().uid());
    @Nullable Sandbox sandbox = null;
    try {
      StateFiles.makeDirectory(directory);
      Files.deleteIfExists(directory.resolve("stopped"));
      Files.deleteIfExists(Sandbox.madeFile(directory));
      sandbox = new Sandbox(state(spec, cidrs), directory);
      StateFiles.write(Sandbox.stateFile(directory), sandbox.state().toJson());
      make(sandbox, spec, cidrs, sysctls);
      StateFiles.write(Sandbox.madeFile(directory), new byte[0]);
      return sandbox;
    } catch (IOException e) {
      undo(directory, sandbox);
      throw new RuntimeFailure(
          "CreatePodSandboxError", "failed to create the pod's sandbox: " + e.getMessage(), e);
    }
  }

  /** What could not be made is as if it had been stopped, or never begun. */
  private void undo(Path directory, @Nullable Sandbox sandbox) {
    if (sandbox == null) {
      return;
    }
    giveBack(sandbox);
    attempt(
        sandbox,
        () -> {
          if (Files.exists(directory.resolve("containers"))) {
            sandbox.noteStopped();
          } else {
            StateFiles.delete(directory);
            deleteIfEmpty(directory.getParent());
          }
        });
  }

  private SandboxState state(SandboxSpec spec, List<String> cidrs) throws IOException {
    return SandboxState.of(
        spec,
        addresses.allocate(cidrs),
        PodClasses.group(settings.cgroupParent(), spec),
        settings.logDirectory().resolve(spec.pod().logDirectory()).toString(),
        settings.time().now());
  }

  /** Keeps all pods together within what the node has for them. */
  void confine(NodeAllocatable allocatable) throws IOException {
    groups.confine(allocatable);
  }

  void limit(Sandbox sandbox, Limits limits) throws IOException {
    groups.limit(sandbox.state().cgroup(), withProcesses(limits));
  }

  private void make(
      Sandbox sandbox, SandboxSpec spec, List<String> cidrs, Map<String, String> sysctls)
      throws IOException {
    SandboxState state = sandbox.state();
    groups.create(state.cgroup(), withProcesses(spec.limits()));
    PodFiles.write(sandbox.etc(), spec, state.addresses());
    sandbox.namespaces().remove();
    sandbox.namespaces().create(sysctls);
    if (!state.hostIpc()) {
      Path memory = sandbox.sharedMemory();
      Files.createDirectories(memory);
      PodNamespaces.unmount(memory);
      Mounts.mount(
          "shm",
          memory.toString(),
          "tmpfs",
          Mounts.NO_SUID | Mounts.NO_DEVICES | Mounts.NO_EXEC,
          SHARED_MEMORY);
    }
    if (!state.hostNetwork()) {
      bridge.disconnect(hash(state));
      bridge.connect(
          hash(state), sandbox.namespaces().network().orElseThrow(), cidrs, state.addresses());
      openPorts(sandbox);
    }
    if (state.sharesProcesses() && !state.hostPid()) {
      PausedProcess.start(sandbox, cgroups, shim, settings.time());
    }
  }

  private static String hash(SandboxState state) {
    return Hashes.containerId(state.pod().uid(), "", 0);
  }

  /** A pod that does not say how many processes it may have still has a limit. */
  private Limits withProcesses(Limits limits) {
    return limits.withPids(OptionalLong.of(limits.pids().orElse(settings.podPids())));
  }

  /** Kills whatever runs in a pod, waits for its end, and gives back what it had. */
  void stop(Sandbox sandbox) throws IOException {
    sandbox.noteStopped();
    cgroups.kill(sandbox.state().cgroup());
    boolean haveEnded =
        Await.until(
            settings.time(),
            PATIENCE,
            () -> sandbox.containers().stream().noneMatch(Container::isRunning));
    if (!haveEnded) {
      throw new IOException("containers of the pod were killed and still run");
    }
    giveBack(sandbox);
  }

  /** All that is not a file goes, as far as it is there. */
  private void giveBack(Sandbox sandbox) {
    SandboxState state = sandbox.state();
    hostPorts.close(state.pod().uid());
    attempt(sandbox, () -> cgroups.kill(state.cgroup()));
    attempt(sandbox, () -> bridge.disconnect(hash(state)));
    attempt(sandbox, () -> sandbox.namespaces().remove());
    attempt(
        sandbox,
        () -> {
          if (!state.hostIpc()) {
            PodNamespaces.unmount(sandbox.sharedMemory());
          }
        });
    attempt(sandbox, () -> groups.remove(state.cgroup()));
    addresses.release(state.addresses());
  }

  /** A step that may fail without the others being left out. */
  private interface Step {
    void run() throws IOException;
  }

  private static void attempt(Sandbox sandbox, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      LOG.warn("pod {}: {}", sandbox.state().pod(), e.toString());
    }
  }

  /** Removes what is left of a pod that was stopped. */
  void remove(Sandbox sandbox) throws IOException {
    giveBack(sandbox);
    // Before what says where they are.
    StateFiles.delete(sandbox.logs());
    StateFiles.delete(sandbox.directory());
    deleteIfEmpty(sandbox.directory().getParent());
  }

  /** A pod's directory has its volumes, too; whoever is the last removes it. */
  static void deleteIfEmpty(@Nullable Path pod) throws IOException {
    if (pod == null || !Files.isDirectory(pod)) {
      return;
    }
    try {
      Files.delete(pod);
    } catch (DirectoryNotEmptyException e) {
      // Others still have something there.
    }
  }

  /** Makes the bridge before the first pod needs it; why that fails. */
  Optional<String> networkProblem() {
    List<String> cidrs = settings.podCidrs().get();
    if (cidrs.isEmpty()) {
      return Optional.empty();
    }
    try {
      bridge.serve(cidrs);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  List<Interface> traffic(Sandbox sandbox) {
    return sandbox.state().hostNetwork()
        ? List.of()
        : List.of(bridge.traffic(hash(sandbox.state())));
  }

  void removeBridge() throws IOException {
    bridge.remove();
  }

  void close() {
    hostPorts.close();
  }
}
