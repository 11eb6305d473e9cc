package dev.berth.grpc.cri;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.cgroup.GroupReader;
import dev.berth.agent.runtime.PodGroups;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.PodUsage.Files;
import dev.berth.agent.runtime.PodUsage.Interface;
import dev.berth.agent.runtime.PodUsage.MemoryDetails;
import dev.berth.agent.runtime.PodUsage.OfContainer;
import dev.berth.agent.runtime.PodUsage.Pressures;
import dev.berth.agent.runtime.PodUsage.Traffic;
import dev.berth.agent.runtime.PodUsage.Usage;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.volume.DiskUsage;
import dev.berth.grpc.criapi.Cri;
import dev.berth.grpc.socket.GoErrors;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What pods use: containers by the runtime's statistics, pods by their cgroups, which are the
 * agent's own, and their network by the runtime's statistics of sandboxes where it has them.
 */
final class CriUsage {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");

  /** Runtimes write a number of about this size where there is no limit. */
  private static final long UNLIMITED = 1L << 62;

  private final CriConnection connection;
  private final CriPods pods;
  private final Cgroups cgroups;

  CriUsage(CriConnection connection, CriPods pods, Cgroups cgroups) {
    this.connection = connection;
    this.pods = pods;
    this.cgroups = cgroups;
  }

  /** By the group that those of all pods are in. */
  Usage ofAll() {
    return cgroups.usage(CriNames.PODS);
  }

  /**
   * Nothing of what the runtime does not say.
   *
   * @param hasFilesMeasured asked with a pod's uid, whether its logs are to be measured
   */
  List<PodUsage> read(Predicate<String> hasFilesMeasured) {
    try {
      Map<String, List<Cri.ContainerStats>> containers = containers();
      Map<String, Cri.LinuxPodSandboxStats> sandboxes = sandboxes();
      Map<String, PodUsage> usage = new HashMap<>();
      for (Cri.PodSandbox sandbox : pods.sandboxes(Map.of())) {
        if (sandbox.getState() == Cri.PodSandboxState.SANDBOX_READY) {
          String uid = sandbox.getLabelsOrThrow(CriNames.POD_UID);
          usage.put(
              uid,
              pod(
                  sandbox,
                  containers.getOrDefault(uid, List.of()),
                  sandboxes.getOrDefault(
                      sandbox.getId(), Cri.LinuxPodSandboxStats.getDefaultInstance()),
                  hasFilesMeasured.test(uid)));
        }
      }
      return List.copyOf(usage.values());
    } catch (RuntimeFailure e) {
      LOG.debug("usage is not known: {}", e.getMessage());
      return List.of();
    } catch (StatusRuntimeException e) {
      LOG.debug("usage is not known: {}", GoErrors.text(e));
      return List.of();
    }
  }

  /** All about the groups of pods that the agent made, and of what runs in them. */
  List<PodGroups> groups() {
    GroupReader reader = new GroupReader(cgroups, Path.of("/proc"));
    List<PodGroups> groups = new ArrayList<>();
    try {
      List<Cri.Container> running =
          pods.containers(Map.of()).stream()
              .filter(each -> each.getState() == Cri.ContainerState.CONTAINER_RUNNING)
              .toList();
      for (Cri.PodSandbox sandbox : pods.sandboxes(Map.of())) {
        String group = CriSandboxes.cgroup(sandbox);
        if (sandbox.getState() == Cri.PodSandboxState.SANDBOX_READY && !group.isEmpty()) {
          groups.add(
              new PodGroups(
                  CriNames.pod(sandbox.getLabelsMap()),
                  reader.read(group),
                  running.stream()
                      .filter(each -> each.getPodSandboxId().equals(sandbox.getId()))
                      .map(each -> container(each, group, reader))
                      .toList()));
        }
      }
    } catch (RuntimeFailure e) {
      LOG.debug("groups are not known: {}", e.getMessage());
    }
    return groups;
  }

  /** containerd names them by their ids, CRI-O puts its name before. */
  private PodGroups.OfContainer container(
      Cri.Container container, String group, GroupReader reader) {
    String path =
        Stream.of("", "crio-")
            .map(prefix -> group + "/" + prefix + container.getId())
            .filter(cgroups::exists)
            .findFirst()
            .orElse(group + "/" + container.getId());
    return new PodGroups.OfContainer(
        container.getMetadata().getName(),
        container.getId(),
        container.getImage().getImage(),
        reader.read(path));
  }

  private Map<String, List<Cri.ContainerStats>> containers() {
    Map<String, List<Cri.ContainerStats>> byPod = new HashMap<>();
    for (Cri.ContainerStats each :
        connection
            .runtime()
            .listContainerStats(Cri.ListContainerStatsRequest.getDefaultInstance())
            .getStatsList()) {
      String uid = each.getAttributes().getLabelsMap().getOrDefault(CriNames.POD_UID, "");
      byPod.computeIfAbsent(uid, _ -> new ArrayList<>()).add(each);
    }
    return byPod;
  }

  /** Not every runtime has them. */
  private Map<String, Cri.LinuxPodSandboxStats> sandboxes() {
    Map<String, Cri.LinuxPodSandboxStats> byId = new HashMap<>();
    try {
      for (Cri.PodSandboxStats each :
          connection
              .runtime()
              .listPodSandboxStats(Cri.ListPodSandboxStatsRequest.getDefaultInstance())
              .getStatsList()) {
        byId.put(each.getAttributes().getId(), each.getLinux());
      }
    } catch (StatusRuntimeException e) {
      LOG.debug("the runtime has no statistics of sandboxes: {}", GoErrors.text(e));
    }
    return byId;
  }

  private PodUsage pod(
      Cri.PodSandbox sandbox,
      List<Cri.ContainerStats> containers,
      Cri.LinuxPodSandboxStats stats,
      boolean hasLogsMeasured) {
    String group = CriSandboxes.cgroup(sandbox);
    Usage total =
        group.isEmpty()
            ? usage(
                stats.getCpu(),
                stats.getMemory(),
                stats.getProcess(),
                Cri.SwapUsage.getDefaultInstance())
            : cgroups.usage(group);
    return new PodUsage(
        CriNames.pod(sandbox.getLabelsMap()),
        total,
        containers.stream()
            .filter(this::isRunning)
            .map(each ->
                container(each, hasLogsMeasured ? logs(each.getAttributes().getId()) : Files.NONE))
            .toList(),
        network(stats.getNetwork()));
  }

  private static List<Interface> network(Cri.NetworkUsage usage) {
    List<Interface> interfaces = new ArrayList<>();
    if (usage.hasDefaultInterface()) {
      interfaces.add(device(usage.getDefaultInterface()));
    }
    for (Cri.NetworkInterfaceUsage each : usage.getInterfacesList()) {
      if (!each.getName().equals(usage.getDefaultInterface().getName())) {
        interfaces.add(device(each));
      }
    }
    return interfaces;
  }

  private static Interface device(Cri.NetworkInterfaceUsage usage) {
    return new Interface(
        usage.getName(),
        new Traffic(usage.getRxBytes().getValue(), 0, usage.getRxErrors().getValue(), 0),
        new Traffic(usage.getTxBytes().getValue(), 0, usage.getTxErrors().getValue(), 0));
  }

  private boolean isRunning(Cri.ContainerStats stats) {
    try {
      return pods.known(stats.getAttributes().getId()).getState()
          == Cri.ContainerState.CONTAINER_RUNNING;
    } catch (RuntimeFailure e) {
      return false;
    }
  }

  private static OfContainer container(Cri.ContainerStats stats, Files logs) {
    Cri.FilesystemUsage written = stats.getWritableLayer();
    return new OfContainer(
        stats.getAttributes().getMetadata().getName(),
        usage(
            stats.getCpu(),
            stats.getMemory(),
            Cri.ProcessUsage.getDefaultInstance(),
            stats.getSwap()),
        new Files(written.getUsedBytes().getValue(), written.getInodesUsed().getValue()),
        logs);
  }

  private Files logs(String container) {
    try {
      Path log = Path.of(pods.container(pods.known(container)).logFile());
      DiskUsage usage = DiskUsage.ofAny(log.resolveSibling(""));
      return new Files(usage.bytes(), usage.inodes());
    } catch (RuntimeFailure e) {
      return Files.NONE;
    }
  }

  private static Usage usage(
      Cri.CpuUsage cpu, Cri.MemoryUsage memory, Cri.ProcessUsage processes, Cri.SwapUsage swap) {
    long working = memory.getWorkingSetBytes().getValue();
    long swapped = swap.getSwapUsageBytes().getValue();
    return new Usage(
        cpu.getUsageCoreNanoSeconds().getValue(),
        Math.max(working, memory.getUsageBytes().getValue()),
        working,
        memory.getRssBytes().getValue(),
        processes.getProcessCount().getValue(),
        swapped,
        new MemoryDetails(
            memory.getPageFaults().getValue(),
            memory.getMajorPageFaults().getValue(),
            limit(memory.getAvailableBytes(), working),
            limit(swap.getSwapAvailableBytes(), swapped)),
        Pressures.NONE);
  }

  /** What is left of a limit is told as nothing, or as far more than there is, without one. */
  private static OptionalLong limit(Cri.UInt64Value left, long used) {
    return left.getValue() > 0 && left.getValue() < UNLIMITED
        ? OptionalLong.of(left.getValue() + used)
        : OptionalLong.empty();
  }
}
