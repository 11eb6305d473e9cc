package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationDocument;
import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.pod.RunningPods;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.server.NodeDocuments;
import dev.berth.agent.volume.VolumeReports;
import dev.berth.agent.volume.VolumeStats;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** What the node's port shows of the agent and its machine. */
final class AgentDocuments implements NodeDocuments {
  private final AgentSettings settings;
  private final MachineReader machine;
  private final VolumeReports volumes;
  private final RunningPods pods;

  AgentDocuments(
      AgentSettings settings, MachineReader machine, VolumeReports volumes, RunningPods pods) {
    this.settings = settings;
    this.machine = machine;
    this.volumes = volumes;
    this.pods = pods;
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
    MachineReader.Traffic traffic = machine.traffic();
    MachineReader.Available swap = machine.swap();
    long used = memory.capacity() - memory.available();
    return new MachineUsage(
        machine.bootTime(),
        new PodUsage.Usage(
            machine.cpuNanos(),
            used,
            used,
            used,
            processes.capacity() - processes.available(),
            swap.capacity() - swap.available()),
        memory.available(),
        swap.available(),
        new PodUsage.Traffic(traffic.received(), traffic.sent()),
        fileSystem());
  }

  private FileSystem fileSystem() {
    try {
      Filesystem found = Filesystem.of(settings.root());
      return new FileSystem(
          found.capacityBytes(),
          found.availableBytes(),
          found.usedBytes(),
          found.inodes(),
          found.inodesFree());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<JsonObject> volumes(PodId pod) {
    return pods.find(pod.namespace(), pod.name()).map(volumes::stats).orElse(List.of()).stream()
        .map(AgentDocuments::volume)
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
