package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.image.ImageStore;
import dev.berth.agent.image.ImportedImage;
import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.Mounts;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.process.LaunchFiles.Processes;
import dev.berth.agent.seccomp.FilteredExec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts containers: everything the next agent needs to know is in files before there is a process.
 */
final class ContainerStarter {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");

  /** What a container without an imported image runs in. */
  static final String HOST_IMAGE = "process://host";

  /** The exit code of a container whose command was never there. */
  private static final String NOT_STARTED = "128";

  private static final long NO_PROGRAMS = Mounts.NO_SUID | Mounts.NO_EXEC;

  /** The processes of a container's cgroup that are not its own: unshare, and a shell at first. */
  private static final int EXTRA_PROCESSES = 2;

  private final Cgroups cgroups;
  private final ImageStore images;
  private final HostRoot host;
  private final HostTools tools;
  private final Shim shim;
  private final boolean hasCgroupNamespaces;
  private final Path masks;

  ContainerStarter(
      ProcessSettings settings, Cgroups cgroups, ImageStore images, HostTools tools, Shim shim)
      throws IOException {
    this.cgroups = cgroups;
    this.images = images;
    this.tools = tools;
    this.shim = shim;
    this.hasCgroupNamespaces = settings.hasCgroupNamespaces();
    Path shared = settings.stateRoot().resolve("host");
    StateFiles.makeDirectory(shared);
    host = new HostRoot(Path.of("/"), shared);
    masks = shared.resolve("masks");
    StateFiles.write(masks, ProcMasks.fstab().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A container that was started.
   *
   * @param shim empty if its command could not be, which is how it ended
   */
  record Started(ContainerState state, ContainerFiles files, Optional<Process> shim) {}

  /**
   * @param target a process of the container whose processes it is to be among; empty for none
   */
  Started start(Sandbox sandbox, ContainerSpec wanted, OptionalLong target) throws RuntimeFailure {
    checkLimits(wanted.limits());
    MountedImages mounted = MountedImages.of(wanted, images);
    ContainerSpec spec = mounted.spec();
    Optional<ImportedImage> image = images.find(spec.image());
    ContainerPlan plan = ContainerPlan.of(spec, image, host, sandbox.state().hostname());
    ContainerFiles files = ContainerFiles.of(sandbox, spec.name(), spec.attempt());
    ContainerState state = state(sandbox, mounted, image, plan);
    try {
      if (plan.startError().isPresent()) {
        return ended(state, files, plan.startError().get());
      }
      prepare(files, state);
      cgroups.create(state.cgroup());
      cgroups.limit(state.cgroup(), withRoomForTools(spec.limits()));
      if (!spec.security().isPrivileged()) {
        cgroups.denyDevices(state.cgroup(), GivenDevices.denied(spec.devices()));
      }
      if (plan.filter().isPresent()) {
        StateFiles.write(files.filter(), FilteredExec.file(plan.filter().get()));
        Files.setAttribute(files.filter(), "unix:mode", 0755);
      }
      StateFiles.write(files.state(), state.toJson());
      return launch(sandbox, spec, target, image, plan, state, files);
    } catch (IOException e) {
      discard(files, state.cgroup());
      throw new RuntimeFailure("CreateContainerError", message(e), e);
    } catch (RuntimeFailure e) {
      discard(files, state.cgroup());
      throw e;
    }
  }

  /**
   * One whose command cannot be started has ended all the same, as in other runtimes: its pod may
   * have failed by that.
   */
  private static Started ended(ContainerState state, ContainerFiles files, String why)
      throws IOException {
    files.delete();
    StateFiles.makeDirectory(files.directory());
    StateFiles.write(files.startError(), why.getBytes(StandardCharsets.UTF_8));
    StateFiles.write(files.started(), new byte[0]);
    StateFiles.write(files.exit(), NOT_STARTED.getBytes(StandardCharsets.UTF_8));
    StateFiles.write(files.state(), state.toJson());
    return new Started(state, files, Optional.empty());
  }

  /** A limit that the machine cannot keep is not ignored. */
  private void checkLimits(Limits limits) throws RuntimeFailure {
    List<String> found = cgroups.controllers().orElse(List.of());
    String broken =
        limits.memoryBytes().isPresent() && !found.contains("memory")
            ? "memory"
            : limits.cpuQuota().isPresent() && !found.contains("cpu") ? "cpu" : "";
    if (!broken.isEmpty()) {
      throw new RuntimeFailure(
          "CreateContainerError",
          "its limit of %s cannot be kept: this machine's cgroups have no controller for it"
              .formatted(broken));
    }
  }

  private static String message(IOException failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  private static ContainerState state(
      Sandbox sandbox, MountedImages mounted, Optional<ImportedImage> image, ContainerPlan plan) {
    ContainerSpec spec = mounted.spec();
    long order =
        1 + sandbox.containers().stream().mapToLong(each -> each.state().order()).max().orElse(0);
    return new ContainerState(
        Hashes.containerId(spec.pod().uid(), spec.name(), spec.attempt()),
        spec.name(),
        spec.attempt(),
        order,
        spec.image(),
        image.map(ImportedImage::id).orElse(HOST_IMAGE),
        mounted.ids(),
        image.isEmpty(),
        sandbox.state().cgroup() + "/" + spec.name() + "_" + spec.attempt(),
        plan.identity().options(),
        plan.environment(),
        plan.workingDirectory(),
        plan.isFiltered(),
        spec.stdin() ? (spec.stdinOnce() ? "once" : "always") : "none",
        spec.tty(),
        plan.stopSignal());
  }

  private static void prepare(ContainerFiles files, ContainerState state) throws IOException {
    files.delete();
    StateFiles.makeDirectory(files.directory());
    Files.createDirectory(files.root());
    Files.createDirectory(files.written());
    Descriptors.makeFifo(files.stdout());
    Descriptors.makeFifo(files.stderr());
    Descriptors.makeFifo(files.collected());
    if (!state.stdin().equals("none")) {
      Descriptors.makeFifo(files.stdin());
      Descriptors.makeFifo(files.closeStdin());
    }
  }

  static Limits withRoomForTools(Limits limits) {
    return limits.withPids(
        limits.pids().isPresent()
            ? OptionalLong.of(limits.pids().getAsLong() + EXTRA_PROCESSES)
            : OptionalLong.empty());
  }

  private Started launch(
      Sandbox sandbox,
      ContainerSpec spec,
      OptionalLong target,
      Optional<ImportedImage> image,
      ContainerPlan plan,
      ContainerState state,
      ContainerFiles files)
      throws IOException, RuntimeFailure {
    SandboxState pod = sandbox.state();
    boolean isUnmasked = spec.security().unmaskedProc() || spec.security().isPrivileged();
    RootPlan root =
        new RootPlan(
            files,
            image.map(ImportedImage::root),
            sandbox.etc(),
            sandbox.sharedMemory(),
            image.isPresent() ? Optional.of(tools.copies()) : Optional.empty(),
            sandbox.namespaces().network(),
            sandbox.namespaces().ipc(),
            cgroups.directories(state.cgroup()),
            pod.hostPid(),
            spec.security().isPrivileged(),
            spec.security().hasReadOnlyRoot(),
            isUnmasked,
            hasOwnTerminal(spec),
            spec.mounts(),
            plan.workingDirectory(),
            spec.devices());
    if (hasOwnTerminal(spec)) {
      Files.createDirectory(files.terminals());
      Mounts.mount(
          "devpts", files.terminals().toString(), "devpts", NO_PROGRAMS, RootBuilder.TERMINALS);
    }
    try (ContainerRoot mounted = new ContainerRoot(root, host)) {
      Map<String, String> namespaces = new LinkedHashMap<>();
      namespaces.put("--mount", mounted.namespaceFile());
      namespaces.putAll(sandbox.namespaces().options());
      Processes processes = processes(pod);
      if (processes == Processes.THOSE_OF_ITS_POD) {
        namespaces.put("--pid", PausedProcess.of(sandbox).namespaceFile());
      } else if (processes == Processes.ITS_OWN && target.isPresent()) {
        processes = Processes.THOSE_OF_ANOTHER;
        namespaces.put("--pid", "/proc/%d/ns/pid".formatted(target.getAsLong()));
      }
      new LaunchFiles(
              state,
              image.isPresent() ? HostTools.ofImage() : tools.ofHost(),
              plan.command(),
              cgroups.joinFiles(state.cgroup()),
              namespaces,
              processes,
              hasCgroupNamespaces && !spec.security().isPrivileged(),
              isUnmasked || pod.hostPid() ? Optional.empty() : Optional.of(masks),
              hasOwnTerminal(spec),
              plan.filter().isPresent() ? Optional.of(files.filter()) : Optional.empty(),
              spec.limits().oomScore())
          .write(files);
      try {
        return new Started(state, files, Optional.of(shim.launch(files, plan.isFiltered())));
      } catch (IOException e) {
        throw new RuntimeFailure("RunContainerError", message(e), e);
      }
    } finally {
      PodNamespaces.unmount(files.terminals());
    }
  }

  /** A privileged container has the machine's devices, and so its terminals. */
  private static boolean hasOwnTerminal(ContainerSpec spec) {
    return spec.tty() && !spec.security().isPrivileged();
  }

  static Processes processes(SandboxState pod) {
    if (pod.hostPid()) {
      return Processes.THOSE_OF_THE_MACHINE;
    }
    return pod.sharesProcesses() ? Processes.THOSE_OF_ITS_POD : Processes.ITS_OWN;
  }

  /** Removes all there is of a container that did not start. */
  void discard(ContainerFiles files, String cgroup) {
    try {
      cgroups.kill(cgroup);
      Container.tell(files.collected());
      cgroups.remove(cgroup);
      files.delete();
    } catch (IOException e) {
      LOG.warn(
          "what is left in {} of a container that did not start cannot be removed: {}",
          files.directory(),
          e.toString());
    }
  }
}
