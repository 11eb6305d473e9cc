package dev.berth.agent.server;

import dev.berth.agent.runtime.PodUsage;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The document at {@code /stats/summary}. */
final class StatsSummary {
  private final String time;
  private final UsageSampler.Sample sample;
  private final NodeDocuments documents;

  private StatsSummary(UsageSampler.Sample sample, NodeDocuments documents) {
    this.sample = sample;
    this.documents = documents;
    this.time = text(sample.at());
  }

  static JsonObject of(String nodeName, UsageSampler.Sample sample, NodeDocuments documents) {
    StatsSummary summary = new StatsSummary(sample, documents);
    return JsonObject.of("node", summary.node(nodeName))
        .with("pods", JsonArray.copyOf(sample.pods().stream().map(summary::pod).toList()));
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private JsonObject node(String name) {
    NodeDocuments.MachineUsage machine = sample.machine();
    return JsonObject.of("nodeName", name)
        .with("startTime", text(machine.since()))
        .with("cpu", cpu(machine.usage(), sample.nanoCores()))
        .with("memory", memory(machine.usage()).with("availableBytes", machine.availableBytes()))
        .with(
            "swap", swap(machine.usage()).with("swapAvailableBytes", machine.swapAvailableBytes()))
        .with("network", network(machine.network()))
        .with("fs", fileSystem(machine.fileSystem()))
        .with("rlimit", JsonObject.of("time", time).with("curproc", machine.usage().processes()));
  }

  private JsonObject pod(UsageSampler.OfPod pod) {
    List<JsonObject> volumes = documents.volumes(pod.pod());
    return JsonObject.of(
            "podRef",
            JsonObject.of("name", pod.pod().name())
                .with("namespace", pod.pod().namespace())
                .with("uid", pod.pod().uid()))
        .with("startTime", text(pod.since()))
        .with(
            "containers", JsonArray.copyOf(pod.containers().stream().map(this::container).toList()))
        .with("cpu", cpu(pod.usage().total(), pod.nanoCores()))
        .with("memory", memory(pod.usage().total()))
        .with("swap", swap(pod.usage().total()))
        .with("network", network(pod.usage().network()))
        .with("volume", JsonArray.copyOf(volumes))
        .with("ephemeral-storage", used(ephemeralBytes(pod)))
        .with("process_stats", JsonObject.of("process_count", pod.usage().total().processes()));
  }

  private static long ephemeralBytes(UsageSampler.OfPod pod) {
    return pod.containers().stream()
        .mapToLong(each -> each.usage().rootBytes() + each.usage().logBytes())
        .sum();
  }

  private JsonObject container(UsageSampler.OfContainer container) {
    PodUsage.OfContainer usage = container.usage();
    return JsonObject.of("name", usage.name())
        .with("startTime", text(container.since()))
        .with("cpu", cpu(usage.usage(), container.nanoCores()))
        .with("memory", memory(usage.usage()))
        .with("swap", swap(usage.usage()))
        .with("rootfs", used(usage.rootBytes()))
        .with("logs", used(usage.logBytes()));
  }

  private JsonObject cpu(PodUsage.Usage usage, long nanoCores) {
    return JsonObject.of("time", time)
        .with("usageNanoCores", nanoCores)
        .with("usageCoreNanoSeconds", usage.cpuNanos());
  }

  private JsonObject memory(PodUsage.Usage usage) {
    return JsonObject.of("time", time)
        .with("usageBytes", usage.memoryBytes())
        .with("workingSetBytes", usage.workingSetBytes())
        .with("rssBytes", usage.rssBytes());
  }

  private JsonObject swap(PodUsage.Usage usage) {
    return JsonObject.of("time", time).with("swapUsageBytes", usage.swapBytes());
  }

  private JsonObject network(PodUsage.Traffic traffic) {
    return JsonObject.of("time", time)
        .with("name", "eth0")
        .with("rxBytes", traffic.receivedBytes())
        .with("txBytes", traffic.sentBytes());
  }

  private JsonObject used(long bytes) {
    return JsonObject.of("time", time).with("usedBytes", bytes);
  }

  private JsonObject fileSystem(NodeDocuments.FileSystem space) {
    return JsonObject.of("time", time)
        .with("availableBytes", space.availableBytes())
        .with("capacityBytes", space.capacityBytes())
        .with("usedBytes", space.usedBytes())
        .with("inodesFree", space.inodesFree())
        .with("inodes", space.inodes())
        .with("inodesUsed", space.inodes() - space.inodesFree());
  }
}
