package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.cgroup.GroupReader;
import dev.berth.agent.image.ImageStore;
import dev.berth.agent.nativecalls.Signals;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerUser;
import dev.berth.agent.runtime.DirectoryLock;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.ImagePull;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.NodeAllocatable;
import dev.berth.agent.runtime.PodGroups;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.Session;
import dev.berth.agent.runtime.process.LaunchFiles.Processes;
import dev.berth.agent.runtime.process.ProcessTable.Known;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.RegistryLogin;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs containers as processes of this machine.
 *
 * <p>Each container has a shell, the shim, that started it and waits for its end; it belongs to no
 * agent. All that an agent must know is in files, so that one that was killed has lost nothing:
 * {@link Adoption} finds it again. One thread ({@link OutputPump}) reads what containers write and
 * hears of their ends; changes of a pod hold its lock and are made by whoever asks for them.
 */
public final class ProcessRuntime implements ContainerRuntime {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");
  private static final String VERSION = "process://0.1.0";

  private final ProcessSettings settings;
  private final FileLock stateLock;
  private final Cgroups cgroups;
  private final ImageStore images;
  private final ProcessTable processes;
  private final SandboxMaker maker;
  private final ContainerStarter starter;
  private final Commands commands;
  private final OutputPump pump;
  private final Map<String, Sandbox> sandboxes = new ConcurrentHashMap<>();
  private final Map<String, Container> containers = new ConcurrentHashMap<>();
  private final Map<String, String> podOfContainer = new ConcurrentHashMap<>();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

  /**
   * Begins with what an earlier agent left. Needs root.
   *
   * @throws IOException if the machine cannot do what it takes, or if another agent is there
   */
  public ProcessRuntime(ProcessSettings settings) throws IOException {
    this.settings = settings;
    StateLock.checkMachine(settings);
    cgroups = Cgroups.of(settings.sys());
    StateLock.checkCgroups(cgroups, settings);
    StateFiles.makeDirectory(settings.stateRoot());
    stateLock = StateLock.take(settings.stateRoot());
    images = new ImageStore(settings.stateRoot().resolve("images"));
    processes = new ProcessTable(settings.proc());
    Shim shim = new Shim(settings.stateRoot().resolve("scripts"));
    HostTools tools = new HostTools(settings.stateRoot().resolve("tools"));
    maker = new SandboxMaker(settings, cgroups, shim);
    starter = new ContainerStarter(settings, cgroups, images, tools, shim);
    commands = new Commands(cgroups, tools, shim, settings.hasCgroupNamespaces());
    pump = new OutputPump();
    for (Sandbox sandbox : new Adoption(settings, cgroups, this::ended).sandboxes()) {
      adopt(sandbox);
    }
    maker.ready();
  }

  /**
   * Makes sure that nobody runs pods in a directory.
   *
   * @throws IOException if somebody does
   */
  public static void requireFree(Path stateRoot) throws IOException {
    DirectoryLock.requireFree(stateRoot, StateLock.FILE);
  }

  /** Whether a directory is one that a runtime has kept its state in. */
  public static boolean wasIn(Path stateRoot) {
    return StateLock.isIn(stateRoot);
  }

  /** How many pods have a container that runs, by what there is in a state's directory. */
  public static long runningPods(Path stateRoot) throws IOException {
    long running = 0;
    for (Path pod : StateFiles.children(stateRoot.resolve("pods"))) {
      Path containers = pod.resolve("sandbox").resolve("containers");
      if (StateFiles.children(containers).stream().anyMatch(ContainerFiles::isRunning)) {
        running++;
      }
    }
    return running;
  }

  private void adopt(Sandbox sandbox) throws IOException {
    sandboxes.put(sandbox.state().pod().uid(), sandbox);
    maker.adopt(sandbox);
    for (Container container : sandbox.containers()) {
      register(sandbox, container);
      boolean isCollected = shimOf(container).filter(processes::isAlive).isEmpty();
      if (isCollected && Files.exists(container.files().exit())) {
        container.noteExit();
      } else {
        follow(container);
        shimOf(container)
            .flatMap(shim -> ProcessHandle.of(shim.process()))
            .ifPresent(shim -> {
              var _ = shim.onExit().thenRun(() -> shimEnded(container));
            });
      }
    }
  }

  private void register(Sandbox sandbox, Container container) {
    containers.put(container.state().id(), container);
    podOfContainer.put(container.state().id(), sandbox.state().pod().uid());
  }

  private Optional<Known> shimOf(Container container) throws IOException {
    return StateFiles.readText(container.files().shim()).flatMap(Known::parse);
  }

  /** Reads the output of a container, and hears of its end. */
  private void follow(Container container) throws IOException {
    container.readOutput(
        new ContainerOutput(
            container.files(),
            new ContainerLog(container.files().log(), settings.logs(), settings.time())));
    pump.add(container);
  }

  /** A shim ends after it has written the exit code, unless somebody killed it. */
  private void shimEnded(Container container) {
    try {
      // One that has ended may be in the middle of being removed.
      if (!container.isRunning()) {
        return;
      }
      if (!Files.exists(container.files().exit())) {
        LOG.warn("the shim of container {} was killed", container.state().name());
        cgroups.kill(container.state().cgroup());
        StateFiles.write(container.files().exit(), "137".getBytes(StandardCharsets.UTF_8));
      }
      pump.check(container);
    } catch (IOException e) {
      LOG.warn("the end of container {} cannot be noted", container.state().name(), e);
    }
  }

  /** On the pump's thread: the exit code is there, and the log is complete. */
  private void ended(Container container) {
    String group = container.state().cgroup();
    try {
      if (cgroups.outOfMemoryKills(group) > 0) {
        StateFiles.write(container.files().outOfMemory(), new byte[0]);
      }
    } catch (IOException e) {
      LOG.warn("container {} ran out of memory", container.state().name(), e);
    }
    container.noteExit();
    container.collect();
    tellOfEnd(container);
    Thread.ofVirtual().name("container-cgroup").start(() -> removeGroup(group));
  }

  private void tellOfEnd(Container container) {
    String pod = podOfContainer.get(container.state().id());
    if (pod != null) {
      listeners.forEach(listener -> listener.accept(pod));
    }
  }

  /** Whatever a container left behind ends with it. */
  private void removeGroup(String group) {
    try {
      cgroups.kill(group);
      cgroups.remove(group);
    } catch (IOException e) {
      LOG.warn("cgroup {} cannot be removed: {}", group, e.getMessage());
    }
  }

  @Override
  public JsonObject details() {
    return JsonObject.of("cgroupParent", settings.cgroupParent()).with("bridge", settings.bridge());
  }

  @Override
  public String version() {
    return VERSION;
  }

  @Override
  public List<RuntimeHandler> handlers() {
    return List.of(new RuntimeHandler("", true, false));
  }

  @Override
  public Optional<Boolean> hasGroupsPolicy() {
    return Optional.of(true);
  }

  @Override
  public List<String> problems() {
    return maker.networkProblem().map(why -> "network is not ready: " + why).stream().toList();
  }

  /** The images that containers can run in, and where they are imported. */
  public ImageStore imageStore() {
    return images;
  }

  /** Those that are more than a lock for who makes them. */
  private List<Sandbox> present() {
    return sandboxes.values().stream().filter(each -> !each.isAbsent()).toList();
  }

  @Override
  public List<PodSandbox> list() {
    return present().stream().map(Sandbox::status).toList();
  }

  @Override
  public Optional<PodSandbox> find(String podUid) {
    return Optional.ofNullable(sandboxes.get(podUid))
        .filter(each -> !each.isAbsent())
        .map(Sandbox::status);
  }

  @Override
  public PodSandbox startSandbox(SandboxSpec spec) throws RuntimeFailure {
    String uid = spec.pod().uid();
    Names.check("CreatePodSandboxError", "uid", uid);
    Names.check("CreatePodSandboxError", "name", spec.pod().name());
    Names.check("CreatePodSandboxError", "namespace", spec.pod().namespace());
    if (!spec.runtimeHandler().isEmpty()) {
      throw new RuntimeFailure(
          "CreatePodSandboxError",
          "no runtime for \"%s\" is configured: pods of this node are processes of its machine"
              .formatted(spec.runtimeHandler()));
    }
    Sandbox known = sandboxes.computeIfAbsent(uid, _ -> Sandbox.absent(settings, spec));
    known.lock.lock();
    try {
      Sandbox current = sandboxes.getOrDefault(uid, known);
      if (current.isReady()) {
        return current.status();
      }
      if (!current.isAbsent()) {
        maker.stop(current);
      }
      Sandbox made = maker.make(spec);
      made.takeOver(current);
      sandboxes.put(uid, made);
      return made.status();
    } catch (IOException e) {
      throw failure("CreatePodSandboxError", e);
    } finally {
      known.lock.unlock();
      sandboxes.computeIfPresent(
          uid, (_, each) -> Files.exists(Sandbox.stateFile(each.directory())) ? each : null);
    }
  }

  private static RuntimeFailure failure(String reason, IOException cause) {
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new RuntimeFailure(reason, message, cause);
  }

  @Override
  public void stopSandbox(String podUid) throws RuntimeFailure {
    Sandbox sandbox = sandboxes.get(podUid);
    if (sandbox == null) {
      return;
    }
    sandbox.lock.lock();
    try {
      // It may have been made while this thread waited.
      Sandbox current = sandboxes.get(podUid);
      if (current != null && !current.isAbsent()) {
        maker.stop(current);
      }
    } catch (IOException e) {
      throw failure("KillPodSandboxError", e);
    } finally {
      sandbox.lock.unlock();
    }
  }

  @Override
  public void removeSandbox(String podUid) throws RuntimeFailure {
    stopSandbox(podUid);
    Sandbox sandbox = sandboxes.get(podUid);
    if (sandbox == null || sandbox.isAbsent()) {
      return;
    }
    sandbox.lock.lock();
    try {
      maker.remove(sandbox);
      sandboxes.remove(podUid);
      for (Container container : sandbox.containers()) {
        forget(sandbox, container);
      }
    } catch (IOException e) {
      throw failure("KillPodSandboxError", e);
    } finally {
      sandbox.lock.unlock();
    }
  }

  private void forget(Sandbox sandbox, Container container) {
    sandbox.remove(container);
    containers.remove(container.state().id());
    podOfContainer.remove(container.state().id());
  }

  @Override
  public boolean pullsImages() {
    return false;
  }

  @Override
  public Optional<Image> findImage(String name) {
    return images.find(name).map(RuntimeImages::toImage);
  }

  @Override
  public ImagePull pullImage(String name, PodId pod, List<RegistryLogin> logins)
      throws RuntimeFailure {
    throw new RuntimeFailure("ErrImagePull", "images are imported, not pulled");
  }

  @Override
  public List<Image> images() {
    return RuntimeImages.list(images);
  }

  @Override
  public Optional<Path> imageFilesystem() {
    return Optional.of(settings.stateRoot().resolve("images"));
  }

  /** Removes a name of an image, and with its last name the image, unless it is in use. */
  @Override
  public void removeImage(String name) throws RuntimeFailure {
    RuntimeImages.remove(
        images,
        name,
        containers.values().stream().filter(Container::isRunning).map(Container::state).toList());
  }

  @Override
  public ContainerStatus start(ContainerSpec spec) throws RuntimeFailure {
    Names.check("CreateContainerError", "container name", spec.name());
    Sandbox sandbox = sandboxes.get(spec.pod().uid());
    if (sandbox == null) {
      throw new RuntimeFailure("CreateContainerError", "the pod has no sandbox");
    }
    sandbox.lock.lock();
    try {
      Optional<Container> known = sandbox.find(spec.name(), spec.attempt());
      if (known.isPresent()) {
        return known.get().status();
      }
      if (!sandbox.isReady()) {
        throw new RuntimeFailure("CreateContainerError", "the pod's sandbox is not ready");
      }
      ContainerStarter.Started started = starter.start(sandbox, spec, target(sandbox, spec));
      Container container = new Container(started.state(), started.files(), this::ended);
      sandbox.add(container);
      register(sandbox, container);
      if (started.shim().isEmpty()) {
        container.noteExit();
        tellOfEnd(container);
        throw new RuntimeFailure("RunContainerError", container.exit().join().startError());
      }
      follow(container);
      var _ = started.shim().get().onExit().thenRun(() -> shimEnded(container));
      return container.status();
    } catch (IOException e) {
      throw failure("RunContainerError", e);
    } finally {
      sandbox.lock.unlock();
    }
  }

  /** A process of the container whose processes the new one is to be among; empty for none. */
  private OptionalLong target(Sandbox sandbox, ContainerSpec spec) throws RuntimeFailure {
    String name = spec.targetContainer();
    if (name.isEmpty()) {
      return OptionalLong.empty();
    }
    OptionalLong process =
        sandbox.containers().stream()
            .filter(each -> each.state().name().equals(name) && each.isRunning())
            .findFirst()
            .map(this::firstProcess)
            .orElse(OptionalLong.empty());
    if (process.isEmpty()) {
      throw new RuntimeFailure(
          "CreateContainerConfigError", "unable to find target container " + name);
    }
    return process;
  }

  private Container container(String id) throws RuntimeFailure {
    Container container = containers.get(id);
    if (container == null) {
      throw new RuntimeFailure("ContainerNotFound", "there is no container " + id);
    }
    return container;
  }

  private Container running(String id) throws RuntimeFailure {
    Container container = container(id);
    if (!container.isRunning()) {
      throw new RuntimeFailure("ContainerNotRunning", "container " + id + " is not running");
    }
    return container;
  }

  /** A container's first process, as the machine counts. */
  private OptionalLong firstProcess(Container container) {
    try {
      String pod = podOfContainer.get(container.state().id());
      Sandbox sandbox = pod == null ? null : sandboxes.get(pod);
      Optional<Known> shim = shimOf(container);
      if (sandbox == null || shim.isEmpty()) {
        return OptionalLong.empty();
      }
      return processes.first(
          shim.get().process(),
          cgroups.processes(container.state().cgroup()),
          ContainerStarter.processes(sandbox.state()) == Processes.THOSE_OF_THE_MACHINE);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public void signal(String containerId, String signal) throws RuntimeFailure {
    Container container = container(containerId);
    String name = signal.isEmpty() ? container.state().stopSignal() : signal;
    OptionalInt number = Signals.number(name);
    if (number.isEmpty()) {
      throw new RuntimeFailure("KillContainerError", "unknown signal \"%s\"".formatted(name));
    }
    OptionalLong process = container.isRunning() ? firstProcess(container) : OptionalLong.empty();
    try {
      if (process.isPresent()) {
        Signals.send(process.getAsLong(), number.getAsInt());
      }
    } catch (IOException e) {
      throw failure("KillContainerError", e);
    }
  }

  @Override
  public void kill(String containerId) throws RuntimeFailure {
    Container container = container(containerId);
    try {
      if (container.isRunning()) {
        cgroups.kill(container.state().cgroup());
      }
    } catch (IOException e) {
      throw failure("KillContainerError", e);
    }
  }

  @Override
  public void removeContainer(String containerId) throws RuntimeFailure {
    Container container = containers.get(containerId);
    String pod = podOfContainer.get(containerId);
    Sandbox sandbox = pod == null ? null : sandboxes.get(pod);
    if (container == null || sandbox == null) {
      return;
    }
    if (container.isRunning()) {
      throw new RuntimeFailure("RemoveContainerError", "container " + containerId + " is running");
    }
    sandbox.lock.lock();
    try {
      cgroups.kill(container.state().cgroup());
      cgroups.remove(container.state().cgroup());
      container.files().delete();
      ContainerLog.delete(container.files().log());
      forget(sandbox, container);
    } catch (IOException e) {
      throw failure("RemoveContainerError", e);
    } finally {
      sandbox.lock.unlock();
    }
  }

  @Override
  public void resize(String containerId, Limits limits) throws RuntimeFailure {
    Container container = running(containerId);
    try {
      cgroups.limit(container.state().cgroup(), ContainerStarter.withRoomForTools(limits));
    } catch (IOException e) {
      throw failure("ResizeContainerError", e);
    }
  }

  @Override
  public void resizePod(String podUid, Limits limits) throws RuntimeFailure {
    Sandbox sandbox = sandboxes.get(podUid);
    if (sandbox == null || sandbox.isAbsent()) {
      throw new RuntimeFailure("ResizePodError", "the pod has no sandbox");
    }
    try {
      maker.limit(sandbox, limits);
    } catch (IOException e) {
      throw failure("ResizePodError", e);
    }
  }

  @Override
  public void confine(NodeAllocatable allocatable) throws RuntimeFailure {
    try {
      maker.confine(allocatable);
    } catch (IOException e) {
      throw failure("NodeAllocatableError", e);
    }
  }

  @Override
  public Session exec(String containerId, ExecSpec spec) throws RuntimeFailure {
    Container container = running(containerId);
    OptionalLong process = firstProcess(container);
    if (process.isEmpty()) {
      throw new RuntimeFailure(
          "ContainerNotRunning", "container " + containerId + " is not running");
    }
    try {
      return commands.run(container, process.getAsLong(), spec);
    } catch (IOException e) {
      throw failure("ExecError", e);
    }
  }

  @Override
  public Session attach(String containerId, boolean stdin) throws RuntimeFailure {
    Container container = running(containerId);
    try {
      return new AttachSession(container, stdin, () -> firstProcess(container));
    } catch (IOException e) {
      throw failure("AttachError", e);
    }
  }

  @Override
  public ByteChannel connect(String podUid, int port) throws RuntimeFailure {
    Sandbox sandbox = sandboxes.get(podUid);
    if (sandbox == null || !sandbox.isReady()) {
      throw new RuntimeFailure("PortForwardError", "the pod has no sandbox that is ready");
    }
    try {
      return PodConnection.open(sandbox.namespaces().network(), port);
    } catch (IOException e) {
      throw new RuntimeFailure(
          "PortForwardError",
          "failed to connect to localhost:%d inside the pod: %s".formatted(port, e.getMessage()),
          e);
    }
  }

  @Override
  public Optional<PodUsage.Usage> usageOfAll() {
    return Optional.of(cgroups.usage(settings.cgroupParent()));
  }

  /** One look at the group of all, rather than one at each. */
  @Override
  public long workingSetBytes() {
    return cgroups.usage(settings.cgroupParent()).workingSetBytes();
  }

  @Override
  public Optional<ContainerUser> user(String containerId) {
    return Optional.ofNullable(containers.get(containerId)).map(found -> found.state().user());
  }

  @Override
  public List<PodGroups> groups() {
    GroupReader reader = new GroupReader(cgroups, settings.proc());
    return present().stream()
        .filter(sandbox -> !sandbox.isStopped())
        .map(sandbox -> SandboxUsage.groups(sandbox, reader))
        .toList();
  }

  @Override
  public List<PodUsage> usage() {
    return usage(_ -> true);
  }

  @Override
  public List<PodUsage> usage(Predicate<String> hasFilesMeasured) {
    return present().stream()
        .filter(sandbox -> !sandbox.isStopped())
        .map(sandbox ->
            SandboxUsage.read(
                sandbox,
                cgroups,
                maker.traffic(sandbox),
                hasFilesMeasured.test(sandbox.state().pod().uid())))
        .toList();
  }

  @Override
  public void onChange(Consumer<String> podUid) {
    listeners.add(podUid);
  }

  /**
   * Ends all pods and removes everything that this runtime made on the machine, images included.
   */
  public void reset() throws RuntimeFailure {
    Queue<RuntimeFailure> failures = new ConcurrentLinkedQueue<>();
    settings
        .time()
        .together(
            sandboxes.keySet().stream()
                .<Runnable>map(uid ->
                    () -> {
                      try {
                        removeSandbox(uid);
                      } catch (RuntimeFailure e) {
                        failures.add(e);
                      }
                    })
                .toList());
    if (!failures.isEmpty()) {
      throw failures.element();
    }
    try {
      maker.removeBridge();
      cgroups.kill(settings.cgroupParent());
      cgroups.remove(settings.cgroupParent());
      for (String name : List.of("host", "scripts", "tools", "images")) {
        StateFiles.delete(settings.stateRoot().resolve(name));
      }
    } catch (IOException e) {
      throw failure("ResetError", e);
    }
  }

  @Override
  public void close() {
    maker.close();
    pump.close();
    try {
      stateLock.acquiredBy().close();
    } catch (IOException e) {
      LOG.warn("the lock of {} cannot be given back", settings.stateRoot(), e);
    }
  }
}
