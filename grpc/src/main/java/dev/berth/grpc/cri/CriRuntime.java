package dev.berth.grpc.cri;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerUser;
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
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.RegistryLogin;
import java.nio.channels.ByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A runtime that speaks CRI. It holds the containers; all that is kept here is what it said last,
 * so that an agent that was killed, a runtime that was, or both, find everything again.
 *
 * <p>Any thread may use it. {@link RuntimeWatch} and {@link RuntimeHealth} ask by themselves how
 * everything is.
 */
final class CriRuntime implements ContainerRuntime {
  private final CriConnection connection;
  private final CriPods pods;
  private final CriSandboxes sandboxes;
  private final CriContainers containers;
  private final CriImages images;
  private final CriStreams streams;
  private final CriUsage usage;
  private final RuntimeHealth health;
  private final RuntimeWatch watch;
  private final LogRotator logs;
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

  private CriRuntime(RemoteRuntimes.Settings settings) {
    connection = new CriConnection(settings);
    Cgroups cgroups = Cgroups.of(settings.sys());
    pods = new CriPods(connection, settings.logDirectory());
    health = new RuntimeHealth(connection, settings);
    images = new CriImages(connection, health::sandboxImage);
    sandboxes = new CriSandboxes(connection, pods, cgroups, settings);
    containers =
        new CriContainers(
            connection, pods, sandboxes, images, settings, this::tell, health::version);
    streams = new CriStreams(connection, pods);
    usage = new CriUsage(connection, pods, cgroups);
    watch = new RuntimeWatch(connection, pods, settings, this::tell, containers::endLost);
    logs = new LogRotator(connection, pods, settings.logs(), settings.time());
  }

  static CriRuntime start(RemoteRuntimes.Settings settings) {
    return new CriRuntime(settings);
  }

  private void tell(String podUid) {
    listeners.forEach(each -> each.accept(podUid));
  }

  @Override
  public String version() {
    return health.version();
  }

  @Override
  public List<String> problems() {
    return health.problems(watch.sinceLastSeen());
  }

  @Override
  public List<RuntimeHandler> handlers() {
    return health.handlers();
  }

  @Override
  public Optional<Boolean> hasGroupsPolicy() {
    return health.groupsPolicy();
  }

  @Override
  public JsonObject details() {
    return JsonObject.of("cgroupParent", CriNames.PODS).with("conditions", health.conditions());
  }

  /** Whoever lists knows by then what runtime it is, and so how containers' ids begin. */
  @Override
  public List<PodSandbox> list() throws RuntimeFailure {
    if (!health.isKnown()) {
      health.look();
      if (!health.isKnown()) {
        throw new RuntimeFailure("RuntimeError", "the container runtime does not answer");
      }
    }
    return pods.list();
  }

  @Override
  public Optional<PodSandbox> find(String podUid) throws RuntimeFailure {
    return pods.find(podUid);
  }

  @Override
  public PodSandbox startSandbox(SandboxSpec spec) throws RuntimeFailure {
    sandboxes.start(spec);
    return pods.find(spec.pod().uid())
        .orElseThrow(() ->
            new RuntimeFailure(
                "CreatePodSandboxError", "the runtime has no sandbox that it just made"));
  }

  @Override
  public void stopSandbox(String podUid) throws RuntimeFailure {
    sandboxes.stop(podUid);
  }

  @Override
  public void removeSandbox(String podUid) throws RuntimeFailure {
    sandboxes.remove(podUid);
  }

  @Override
  public boolean pullsImages() {
    return true;
  }

  @Override
  public Optional<Image> findImage(String name) throws RuntimeFailure {
    return images.find(name);
  }

  @Override
  public ImagePull pullImage(String name, PodId pod, List<RegistryLogin> logins)
      throws RuntimeFailure {
    return images.pull(name, pod, logins);
  }

  @Override
  public void removeImage(String id) throws RuntimeFailure {
    images.remove(id);
  }

  @Override
  public List<Image> images() {
    return images.list();
  }

  @Override
  public Optional<Path> imageFilesystem() {
    return images.filesystem();
  }

  @Override
  public ContainerStatus start(ContainerSpec spec) throws RuntimeFailure {
    return containers.start(spec);
  }

  @Override
  public void signal(String containerId, String signal) throws RuntimeFailure {
    containers.signal(containerId);
  }

  @Override
  public void kill(String containerId) throws RuntimeFailure {
    containers.kill(containerId);
  }

  @Override
  public void removeContainer(String containerId) throws RuntimeFailure {
    containers.remove(containerId);
  }

  @Override
  public void resize(String containerId, Limits limits) throws RuntimeFailure {
    containers.resize(containerId, limits);
  }

  @Override
  public void resizePod(String podUid, Limits limits) throws RuntimeFailure {
    sandboxes.resize(podUid, limits);
  }

  @Override
  public void confine(NodeAllocatable allocatable) throws RuntimeFailure {
    sandboxes.confine(allocatable);
  }

  @Override
  public Session exec(String containerId, ExecSpec spec) throws RuntimeFailure {
    return streams.exec(containerId, spec);
  }

  @Override
  public Session attach(String containerId, boolean stdin) throws RuntimeFailure {
    return streams.attach(containerId, stdin);
  }

  @Override
  public ByteChannel connect(String podUid, int port) throws RuntimeFailure {
    return streams.connect(sandboxes.ready(podUid, "PortForwardError").getId(), port);
  }

  @Override
  public Optional<ContainerUser> user(String containerId) {
    return pods.user(containerId);
  }

  @Override
  public List<PodGroups> groups() {
    return usage.groups();
  }

  @Override
  public List<PodUsage> usage() {
    return usage.read(_ -> true);
  }

  @Override
  public List<PodUsage> usage(Predicate<String> hasFilesMeasured) {
    return usage.read(hasFilesMeasured);
  }

  @Override
  public long workingSetBytes() {
    return usage.ofAll().workingSetBytes();
  }

  @Override
  public Optional<PodUsage.Usage> usageOfAll() {
    return Optional.of(usage.ofAll());
  }

  @Override
  public void onChange(Consumer<String> podUid) {
    listeners.add(podUid);
  }

  @Override
  public void close() {
    watch.close();
    health.close();
    logs.close();
    connection.close();
  }
}
