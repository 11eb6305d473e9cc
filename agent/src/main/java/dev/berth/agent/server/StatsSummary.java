package dev.berth.agent.server;

import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.PodUsage.Files;
import dev.berth.agent.runtime.Pressure;
import dev.berth.agent.server.NodeDocuments.FileSystem;
import dev.berth.agent.server.NodeDocuments.Storage;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/** The document at {@code /stats/summary}: what the machine, the agent and each pod use. */
final class StatsSummary {
  /** The interface that kubelets show beside the list of all; other names are in that alone. */
  private static final String DEFAULT_INTERFACE = "eth0";

  private final UsageSampler.Sample sample;
  private final String time;

  private StatsSummary(UsageSampler.Sample sample) {
    this.sample = sample;
    this.time = text(sample.at());
  }

  static JsonObject of(String nodeName, UsageSampler.Sample sample, NodeDocuments documents) {
    StatsSummary summary = new StatsSummary(sample);
    Storage storage = documents.storage();
    return summary.document(
        summary.node(nodeName, storage, documents.mostProcesses()),
        pod -> summary.pod(pod, storage, documents.volumes(pod.pod())));
  }

  /** Processors, memory and swap alone. */
  static JsonObject brief(String nodeName, UsageSampler.Sample sample) {
    StatsSummary summary = new StatsSummary(sample);
    return summary.document(
        summary.briefNode(nodeName),
        pod ->
            summary
                .briefPod(pod)
                .with(
                    "containers",
                    JsonArray.copyOf(
                        pod.containers().stream().map(summary::briefContainer).toList())));
  }

  private JsonObject document(JsonObject node, Function<UsageSampler.OfPod, JsonObject> pod) {
    return JsonObject.of("node", node)
        .with("pods", JsonArray.copyOf(sample.pods().stream().map(pod).toList()));
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private JsonObject at() {
    return JsonObject.of("time", time);
  }

  private JsonObject briefNode(String name) {
    NodeDocuments.MachineUsage machine = sample.machine();
    return usage(
        JsonObject.of("nodeName", name)
            .with(
                "systemContainers",
                JsonArray.copyOf(sample.system().stream().map(this::systemContainer).toList()))
            .with("startTime", text(machine.since())),
        machine.usage(),
        sample.nanoCores());
  }

  private JsonObject node(String name, Storage storage, long mostProcesses) {
    NodeDocuments.MachineUsage machine = sample.machine();
    long written =
        sample.pods().stream()
            .flatMap(pod -> pod.containers().stream())
            .mapToLong(container -> container.usage().root().bytes())
            .sum();
    return briefNode(name)
        .with("io", io(machine.usage()))
        .with("network", network(machine.network()))
        .with("fs", fileSystem(storage.node()))
        .with(
            "runtime",
            JsonObject.of(
                    "imageFs", fileSystem(storage.images()).with("usedBytes", storage.imageBytes()))
                .with("containerFs", fileSystem(storage.images()).with("usedBytes", written)))
        .with(
            "rlimit",
            at().with("maxpid", mostProcesses).with("curproc", machine.usage().processes()));
  }

  private JsonObject systemContainer(UsageSampler.OfSystem system) {
    NodeDocuments.SystemContainer container = system.container();
    return usage(
        JsonObject.of("name", container.name()).with("startTime", text(container.since())),
        container.usage(),
        system.nanoCores());
  }

  private JsonObject briefPod(UsageSampler.OfPod pod) {
    return usage(
        JsonObject.of(
                "podRef",
                JsonObject.of("name", pod.pod().name())
                    .with("namespace", pod.pod().namespace())
                    .with("uid", pod.pod().uid()))
            .with("startTime", text(pod.since())),
        pod.usage().total(),
        pod.nanoCores());
  }

  private JsonObject pod(
      UsageSampler.OfPod pod, Storage storage, List<NodeDocuments.Volume> volumes) {
    PodUsage usage = pod.usage();
    JsonObject shown =
        briefPod(pod)
            .with(
                "containers",
                JsonArray.copyOf(
                    pod.containers().stream().map(each -> container(each, storage)).toList()))
            .with("io", io(usage.total()))
            .with(
                "volume",
                JsonArray.copyOf(volumes.stream().map(NodeDocuments.Volume::stats).toList()))
            .with("ephemeral-storage", used(written(pod, volumes), storage.node()))
            .with("process_stats", JsonObject.of("process_count", usage.total().processes()));
    return usage.network().isEmpty() ? shown : shown.with("network", network(usage.network()));
  }

  /** All that a pod keeps on the node. */
  private static Files written(UsageSampler.OfPod pod, List<NodeDocuments.Volume> volumes) {
    Files written =
        pod.containers().stream()
            .map(each -> each.usage().root().plus(each.usage().logs()))
            .reduce(Files.NONE, Files::plus);
    return volumes.stream()
        .filter(NodeDocuments.Volume::isLocalStorage)
        .map(each ->
            new Files(
                each.stats().integer("usedBytes").orElse(0),
                each.stats().integer("inodesUsed").orElse(0)))
        .reduce(written, Files::plus);
  }

  private JsonObject briefContainer(UsageSampler.OfContainer container) {
    return usage(
        JsonObject.of("name", container.usage().name()).with("startTime", text(container.since())),
        container.usage().usage(),
        container.nanoCores());
  }

  private JsonObject container(UsageSampler.OfContainer container, Storage storage) {
    PodUsage.OfContainer usage = container.usage();
    return briefContainer(container)
        .with("io", io(usage.usage()))
        .with("rootfs", used(usage.root(), storage.images()))
        .with("logs", used(usage.logs(), storage.node()));
  }

  private JsonObject usage(JsonObject of, PodUsage.Usage usage, long nanoCores) {
    return of.with(
            "cpu",
            at().with("usageNanoCores", nanoCores)
                .with("usageCoreNanoSeconds", usage.cpuNanos())
                .with("psi", pressure(usage.pressures().cpu())))
        .with("memory", memory(usage))
        .with(
            "swap",
            left("swapAvailableBytes", usage.memory().swapLimit(), usage.swapBytes())
                .with("swapUsageBytes", usage.swapBytes()));
  }

  private JsonObject memory(PodUsage.Usage usage) {
    return left("availableBytes", usage.memory().limit(), usage.workingSetBytes())
        .with("usageBytes", usage.memoryBytes())
        .with("workingSetBytes", usage.workingSetBytes())
        .with("rssBytes", usage.rssBytes())
        .with("pageFaults", usage.memory().pageFaults())
        .with("majorPageFaults", usage.memory().majorPageFaults())
        .with("psi", pressure(usage.pressures().memory()));
  }

  /** What is left of a limit, if there is one. */
  private JsonObject left(String name, OptionalLong limit, long used) {
    return limit.isPresent() ? at().with(name, Math.max(0, limit.getAsLong() - used)) : at();
  }

  private JsonObject io(PodUsage.Usage usage) {
    return at().with("psi", pressure(usage.pressures().io()));
  }

  private static JsonObject pressure(Pressure pressure) {
    return JsonObject.of("full", share(pressure.full())).with("some", share(pressure.some()));
  }

  private static JsonObject share(Pressure.Share share) {
    return JsonObject.of("total", share.total())
        .with("avg10", number(share.average10()))
        .with("avg60", number(share.average60()))
        .with("avg300", number(share.average300()));
  }

  private static Object number(double value) {
    return value == (long) value ? (Object) (long) value : new JsonNumber(Double.toString(value));
  }

  private JsonObject network(List<PodUsage.Interface> interfaces) {
    JsonObject shown =
        interfaces.stream()
            .filter(each -> each.name().equals(DEFAULT_INTERFACE))
            .findFirst()
            .map(each -> device(at(), each))
            .orElse(at().with("name", ""));
    return shown.with(
        "interfaces",
        JsonArray.copyOf(interfaces.stream().map(each -> device(JsonObject.EMPTY, each)).toList()));
  }

  private static JsonObject device(JsonObject shown, PodUsage.Interface device) {
    return shown
        .with("name", device.name())
        .with("rxBytes", device.received().bytes())
        .with("rxErrors", device.received().errors())
        .with("txBytes", device.sent().bytes())
        .with("txErrors", device.sent().errors());
  }

  private JsonObject used(Files files, FileSystem on) {
    return fileSystem(on).with("usedBytes", files.bytes()).with("inodesUsed", files.inodes());
  }

  private JsonObject fileSystem(FileSystem space) {
    return at().with("availableBytes", space.availableBytes())
        .with("capacityBytes", space.capacityBytes())
        .with("usedBytes", space.usedBytes())
        .with("inodesFree", space.inodesFree())
        .with("inodes", space.inodes())
        .with("inodesUsed", space.inodes() - space.inodesFree());
  }
}
