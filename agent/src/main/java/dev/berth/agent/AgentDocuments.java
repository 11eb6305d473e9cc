package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationDocument;
import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.OwnProcess;
import dev.berth.agent.network.Bridge;
import dev.berth.agent.pod.RunningPods;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.Pressure;
import dev.berth.agent.server.NodeDocuments;
import dev.berth.agent.volume.VolumeReports;
import dev.berth.agent.volume.VolumeStats;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What the node's port shows of the agent and its machine. */
final class AgentDocuments implements NodeDocuments {
  private final AgentSettings settings;
  private final MachineReader machine;
  private final VolumeReports volumes;
  private final RunningPods pods;
  private final ContainerRuntime runtime;

  /** When the agent was started. */
  private final Instant since;

  AgentDocuments(
      AgentSettings settings,
      MachineReader machine,
      VolumeReports volumes,
      RunningPods pods,
      ContainerRuntime runtime,
      Instant since) {
    this.settings = settings;
    this.machine = machine;
    this.volumes = volumes;
    this.pods = pods;
    this.runtime = runtime;
    this.since = since;
  }

  @Override
  public JsonObject configuration() {
    return KubeletConfigurationDocument.of(settings);
  }

  @Override
  public Optional<String> unhealthy() {
    return Optional.empty();
  }

  @Override
  public MachineUsage machine() {
    MachineReader.Available memory = machine.memory();
    MachineReader.Available processes = machine.processes();
    MachineReader.Available swap = machine.swap();
    MachineReader.MemoryUse use = machine.memoryUse();
    return new MachineUsage(
        machine.bootTime(),
        new PodUsage.Usage(
            machine.cpuNanos(),
            use.used(),
            memory.capacity() - memory.available(),
            use.anonymous(),
            processes.capacity() - processes.available(),
            swap.capacity() - swap.available(),
            new PodUsage.MemoryDetails(
                use.pageFaults(),
                use.majorPageFaults(),
                OptionalLong.of(memory.capacity()),
                OptionalLong.of(swap.capacity())),
            new PodUsage.Pressures(pressure("cpu"), pressure("memory"), pressure("io"))),
        machine.interfaces().stream().filter(each -> !isOfPod(each.name())).toList());
  }

  /** A runtime's network plugin gives them the name that kubelets look for, too. */
  private static boolean isOfPod(String device) {
    return Bridge.isOfPod(device) || device.startsWith("veth");
  }

  private Pressure pressure(String resource) {
    return Pressure.parse(machine.pressure(resource));
  }

  @Override
  public long mostProcesses() {
    return machine.processes().capacity();
  }

  @Override
  public List<SystemContainer> systemContainers() {
    List<SystemContainer> containers = new ArrayList<>();
    containers.add(new SystemContainer("kubelet", since, ofAgent()));
    runtime
        .usageOfAll()
        .ifPresent(usage -> containers.add(new SystemContainer("pods", since, usage)));
    return containers;
  }

  /** With {@code berth up} the server is a part of it. */
  private PodUsage.Usage ofAgent() {
    OwnProcess own = machine.ownProcess();
    return new PodUsage.Usage(
        own.cpuNanos(),
        own.residentBytes(),
        own.residentBytes(),
        own.anonymousBytes(),
        own.threads(),
        own.swapBytes(),
        new PodUsage.MemoryDetails(
            own.pageFaults(), own.majorPageFaults(), OptionalLong.empty(), OptionalLong.empty()),
        PodUsage.Pressures.NONE);
  }

  @Override
  public Storage storage() {
    try {
      Optional<Path> images = runtime.imageFilesystem().filter(Files::exists);
      FileSystem node = fileSystem(settings.root());
      return new Storage(
          node,
          images.isPresent() ? fileSystem(images.get()) : node,
          runtime.images().stream().mapToLong(Image::bytes).sum());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileSystem fileSystem(Path path) throws IOException {
    Filesystem found = Filesystem.of(path);
    return new FileSystem(
        found.capacityBytes(),
        found.availableBytes(),
        found.usedBytes(),
        found.inodes(),
        found.inodesFree());
  }

  @Override
  public List<Volume> volumes(PodId pod) {
    return pods.find(pod.namespace(), pod.name()).map(volumes::stats).orElse(List.of()).stream()
        .map(each -> new Volume(volume(each), each.isLocalStorage()))
        .toList();
  }

  private static JsonObject volume(VolumeStats stats) {
    JsonObject shown =
        JsonObject.of("name", stats.name())
            .with("time", Times.format(stats.time()))
            .with("usedBytes", stats.used().bytes())
            .with("inodesUsed", stats.used().inodes())
            .with("capacityBytes", stats.space().capacityBytes())
            .with("availableBytes", stats.space().availableBytes())
            .with("inodes", stats.space().inodes())
            .with("inodesFree", stats.space().inodesFree());
    return stats
        .claim()
        .map(claim ->
            shown.with(
                "pvcRef", JsonObject.of("name", claim.name()).with("namespace", claim.namespace())))
        .orElse(shown);
  }
}
