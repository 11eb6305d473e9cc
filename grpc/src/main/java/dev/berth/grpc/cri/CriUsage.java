package dev.berth.grpc.cri;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.PodUsage.OfContainer;
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
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What pods use: containers by the runtime's statistics, pods by their cgroups, which are the
 * agent's own, and their network by the runtime's statistics of sandboxes where it has them.
 */
final class CriUsage {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");

  private final CriConnection connection;
  private final CriPods pods;
  private final Cgroups cgroups;

  CriUsage(CriConnection connection, CriPods pods, Cgroups cgroups) {
    this.connection = connection;
    this.pods = pods;
    this.cgroups = cgroups;
  }

  /** By the group that those of all pods are in. */
  long workingSetBytes() {
    return cgroups.usage(CriNames.PODS).workingSetBytes();
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
            ? usage(stats.getCpu(), stats.getMemory(), stats.getProcess())
            : cgroups.usage(group);
    Cri.NetworkInterfaceUsage network = stats.getNetwork().getDefaultInterface();
    return new PodUsage(
        CriNames.pod(sandbox.getLabelsMap()),
        total,
        containers.stream()
            .filter(this::isRunning)
            .map(each ->
                container(each, hasLogsMeasured ? logBytes(each.getAttributes().getId()) : 0))
            .toList(),
        new Traffic(network.getRxBytes().getValue(), network.getTxBytes().getValue()));
  }

  private boolean isRunning(Cri.ContainerStats stats) {
    try {
      return pods.known(stats.getAttributes().getId()).getState()
          == Cri.ContainerState.CONTAINER_RUNNING;
    } catch (RuntimeFailure e) {
      return false;
    }
  }

  private static OfContainer container(Cri.ContainerStats stats, long logBytes) {
    return new OfContainer(
        stats.getAttributes().getMetadata().getName(),
        usage(stats.getCpu(), stats.getMemory(), Cri.ProcessUsage.getDefaultInstance()),
        stats.getWritableLayer().getUsedBytes().getValue(),
        logBytes);
  }

  private long logBytes(String container) {
    try {
      Path log = Path.of(pods.container(pods.known(container)).logFile());
      return DiskUsage.ofAny(log.resolveSibling("")).bytes();
    } catch (RuntimeFailure e) {
      return 0;
    }
  }

  private static Usage usage(Cri.CpuUsage cpu, Cri.MemoryUsage memory, Cri.ProcessUsage processes) {
    long working = memory.getWorkingSetBytes().getValue();
    return new Usage(
        cpu.getUsageCoreNanoSeconds().getValue(),
        Math.max(working, memory.getUsageBytes().getValue()),
        working,
        memory.getRssBytes().getValue(),
        processes.getProcessCount().getValue());
  }
}
