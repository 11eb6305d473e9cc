package dev.berth.agent.server;

import dev.berth.agent.runtime.GroupDetails;
import dev.berth.agent.runtime.PodGroups;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.runtime.PodUsage.Traffic;
import dev.berth.agent.runtime.PodUsage.Usage;
import dev.berth.agent.runtime.Pressure;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What {@code /metrics/cadvisor} shows: cAdvisor's metrics of containers, of pods and of the whole
 * machine, under its names and with its labels. Pods and the machine have no name of a container,
 * and no image. What the kernel does not count for a group is left out.
 */
final class ContainerMetrics {
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;

  private static final List<String> LABELS =
      List.of("container", "id", "image", "name", "namespace", "pod");

  private final Metrics metrics = new Metrics();
  private final UsageSampler.Sample sample;

  /** The machine, pods and containers, by their values of the labels. */
  private final List<Line> lines = new ArrayList<>();

  /** Of those the ones of which the kernel tells more. */
  private final List<Detailed> groups = new ArrayList<>();

  private record Line(List<String> labels, Usage usage, Optional<Instant> since) {}

  private record Detailed(List<String> labels, PodGroups.Group group) {}

  private ContainerMetrics(UsageSampler.Sample sample, List<PodGroups> found) {
    this.sample = sample;
    Map<PodId, PodGroups> byPod = new HashMap<>();
    found.forEach(each -> byPod.put(each.pod(), each));
    lines.add(
        new Line(
            List.of("", "/", "", "", "", ""),
            sample.machine().usage(),
            Optional.of(sample.machine().since())));
    for (UsageSampler.OfPod pod : sample.pods()) {
      PodGroups known = byPod.get(pod.pod());
      if (known != null) {
        add(pod, known);
      }
    }
  }

  static String text(
      UsageSampler.Sample sample,
      List<PodGroups> groups,
      JsonObject node,
      MetricsText.Format format) {
    ContainerMetrics page = new ContainerMetrics(sample, groups);
    page.usage();
    page.details();
    page.processes();
    page.pressures();
    page.network(groups);
    page.machine(node);
    return page.metrics.text(format);
  }

  private void add(UsageSampler.OfPod pod, PodGroups known) {
    List<String> ofPod = podLabels(known);
    lines.add(new Line(ofPod, pod.usage().total(), Optional.of(pod.since())));
    groups.add(new Detailed(ofPod, known.own()));
    for (PodGroups.OfContainer container : known.containers()) {
      List<String> labels =
          List.of(
              container.name(),
              "/" + container.group().path(),
              container.image(),
              container.id(),
              pod.pod().namespace(),
              pod.pod().name());
      groups.add(new Detailed(labels, container.group()));
      pod.containers().stream()
          .filter(each -> each.usage().name().equals(container.name()))
          .forEach(
              each -> lines.add(new Line(labels, each.usage().usage(), Optional.of(each.since()))));
    }
  }

  private static List<String> podLabels(PodGroups pod) {
    return List.of("", "/" + pod.own().path(), "", "", pod.pod().namespace(), pod.pod().name());
  }

  private void usage() {
    metrics.totals(
        "container_cpu_usage_seconds_total",
        "Cumulative cpu time consumed in seconds.",
        with("cpu"),
        action ->
            lines.forEach(
                line -> action.accept(with(line.labels, "total"), line.usage.cpuNanos() / NANOS)));
    gauge("container_memory_usage_bytes", "Current memory usage in bytes.", Usage::memoryBytes);
    gauge(
        "container_memory_working_set_bytes",
        "Current working set in bytes.",
        Usage::workingSetBytes);
    gauge("container_memory_rss", "Size of RSS in bytes.", Usage::rssBytes);
    gauge("container_memory_swap", "Container swap usage in bytes.", Usage::swapBytes);
    gauge(
        "container_spec_memory_limit_bytes",
        "Memory limit for the container; 0 if there is none.",
        usage -> usage.memory().limit().orElse(0));
    gauge(
        "container_spec_memory_swap_limit_bytes",
        "Memory swap limit for the container; 0 if there is none.",
        usage -> usage.memory().swapLimit().orElse(0));
    metrics.totals(
        "container_memory_failures_total",
        "Cumulative count of memory allocation failures.",
        with("failure_type", "scope"),
        action ->
            lines.forEach(line -> {
              action.accept(
                  with(line.labels, "pgfault", "hierarchy"),
                  (double) line.usage.memory().pageFaults());
              action.accept(
                  with(line.labels, "pgmajfault", "hierarchy"),
                  (double) line.usage.memory().majorPageFaults());
            }));
    metrics.lookedUp(
        "container_start_time_seconds",
        "Start time of the container since unix epoch in seconds.",
        LABELS,
        action ->
            lines.forEach(line ->
                line.since.ifPresent(
                    since -> action.accept(line.labels, since.toEpochMilli() / MILLIS))));
    metrics.lookedUp(
        "container_last_seen",
        "Last time a container was seen by the exporter",
        LABELS,
        action ->
            lines.forEach(
                line -> action.accept(line.labels, (double) sample.at().getEpochSecond())));
  }

  private void details() {
    total(
        "container_cpu_user_seconds_total",
        "Cumulative user cpu time consumed in seconds.",
        group -> group.details().cpu().userNanos() / NANOS);
    total(
        "container_cpu_system_seconds_total",
        "Cumulative system cpu time consumed in seconds.",
        group -> group.details().cpu().systemNanos() / NANOS);
    ofLimited(
        "container_cpu_cfs_periods_total",
        "Number of elapsed enforcement period intervals.",
        GroupDetails.Cpu::periods);
    ofLimited(
        "container_cpu_cfs_throttled_periods_total",
        "Number of throttled period intervals.",
        GroupDetails.Cpu::throttledPeriods);
    metrics.totals(
        "container_cpu_cfs_throttled_seconds_total",
        "Total time duration the container has been throttled.",
        LABELS,
        action -> limited(action, cpu -> cpu.throttledNanos() / NANOS));
    metrics.lookedUp(
        "container_spec_cpu_quota",
        "CPU quota of the container.",
        LABELS,
        action -> limited(action, cpu -> (double) cpu.quotaMicros().orElse(0)));
    figure(
        "container_spec_cpu_period",
        "CPU period of the container.",
        group -> group.details().cpu().periodMicros());
    figure(
        "container_spec_cpu_shares",
        "CPU share of the container.",
        group -> group.details().cpu().shares());
    figure(
        "container_memory_cache",
        "Number of bytes of page cache memory.",
        group -> group.details().memory().cache());
    figure(
        "container_memory_mapped_file",
        "Size of memory mapped files in bytes.",
        group -> group.details().memory().mappedFile());
    figure(
        "container_memory_total_active_file_bytes",
        "Current total active file in bytes.",
        group -> group.details().memory().activeFile());
    figure(
        "container_memory_total_inactive_file_bytes",
        "Current total inactive file in bytes.",
        group -> group.details().memory().inactiveFile());
    figure(
        "container_memory_max_usage_bytes",
        "Maximum memory usage recorded in bytes",
        group -> group.details().memory().most());
    figure(
        "container_spec_memory_reservation_limit_bytes",
        "Memory reservation limit for the container; 0 if there is none.",
        _ -> 0);
    total(
        "container_memory_failcnt",
        "Number of memory usage hits limits",
        group -> (double) group.details().memory().limitHits());
    total(
        "container_oom_events_total",
        "Count of out of memory events observed for the container",
        group -> (double) group.outOfMemoryKills());
    disks("container_fs_reads_bytes_total", "bytes read", GroupDetails.Disk::readBytes);
    disks("container_fs_reads_total", "reads completed", GroupDetails.Disk::reads);
    disks("container_fs_writes_bytes_total", "bytes written", GroupDetails.Disk::writtenBytes);
    disks("container_fs_writes_total", "writes completed", GroupDetails.Disk::writes);
  }

  private void processes() {
    figure(
        "container_processes",
        "Number of processes running inside the container.",
        group -> group.processes().processes());
    figure(
        "container_threads",
        "Number of threads running inside the container",
        group -> group.processes().threads());
    figure(
        "container_threads_max",
        "Maximum number of threads allowed inside the container, infinity if value is zero",
        group -> group.processes().threadLimit().orElse(0));
    figure(
        "container_file_descriptors",
        "Number of open file descriptors for the container.",
        group -> group.processes().descriptors());
    figure(
        "container_sockets",
        "Number of open sockets for the container.",
        group -> group.processes().sockets());
    metrics.lookedUp(
        "container_ulimits_soft",
        "Soft ulimit values for the container root process. Unlimited if -1",
        with("ulimit"),
        action ->
            groups.forEach(each ->
                action.accept(
                    with(each.labels, "max_open_files"),
                    (double) each.group.processes().fileLimit().orElse(-1))));
  }

  private void pressures() {
    pressure("cpu", usage -> usage.pressures().cpu());
    pressure("memory", usage -> usage.pressures().memory());
    pressure("io", usage -> usage.pressures().io());
  }

  private void pressure(String resource, Function<Usage, Pressure> of) {
    String name = "container_pressure_" + resource + "_";
    String help = " due to " + resource + " congestion.";
    metrics.totals(
        name + "stalled_seconds_total",
        "Total time duration no tasks in the container could make progress" + help,
        LABELS,
        action ->
            lines.forEach(
                line -> action.accept(line.labels, of.apply(line.usage).full().total() / MICROS)));
    metrics.totals(
        name + "waiting_seconds_total",
        "Total time duration tasks in the container have waited" + help,
        LABELS,
        action ->
            lines.forEach(
                line -> action.accept(line.labels, of.apply(line.usage).some().total() / MICROS)));
  }

  private void network(List<PodGroups> found) {
    Map<PodId, List<String>> labels = new HashMap<>();
    found.forEach(each -> labels.put(each.pod(), podLabels(each)));
    for (boolean isReceived : new boolean[] {true, false}) {
      String name = "container_network_" + (isReceived ? "receive_" : "transmit_");
      String verb = isReceived ? "received" : "transmitted";
      String doing = isReceived ? "receiving" : "transmitting";
      Function<PodUsage.Interface, Traffic> way =
          isReceived ? PodUsage.Interface::received : PodUsage.Interface::sent;
      traffic(name + "bytes_total", "bytes " + verb, labels, way, Traffic::bytes);
      traffic(name + "packets_total", "packets " + verb, labels, way, Traffic::packets);
      traffic(
          name + "packets_dropped_total",
          "packets dropped while " + doing,
          labels,
          way,
          Traffic::dropped);
      traffic(
          name + "errors_total", "errors encountered while " + doing, labels, way, Traffic::errors);
    }
  }

  private void traffic(
      String name,
      String counted,
      Map<PodId, List<String>> labels,
      Function<PodUsage.Interface, Traffic> way,
      ToLongFunction<Traffic> figure) {
    metrics.totals(
        name,
        "Cumulative count of " + counted,
        with("interface"),
        action -> {
          traffic(action, lines.getFirst().labels, sample.machine().network(), way, figure);
          sample
              .pods()
              .forEach(pod -> {
                List<String> known = labels.get(pod.pod());
                if (known != null) {
                  traffic(action, known, pod.usage().network(), way, figure);
                }
              });
        });
  }

  private static void traffic(
      BiConsumer<List<String>, Double> action,
      List<String> labels,
      List<PodUsage.Interface> interfaces,
      Function<PodUsage.Interface, Traffic> way,
      ToLongFunction<Traffic> figure) {
    interfaces.forEach(each ->
        action.accept(with(labels, each.name()), (double) figure.applyAsLong(way.apply(each))));
  }

  /** With the names that the node has for itself, by which these metrics are joined with others. */
  private void machine(JsonObject node) {
    JsonObject info = node.object("status").object("nodeInfo");
    List<String> names = List.of("boot_id", "machine_id", "system_uuid");
    List<String> values =
        List.of(info.text("bootID", ""), info.text("machineID", ""), info.text("systemUUID", ""));
    ResourceList capacity = ResourceList.read(node.object("status").object("capacity"));
    metrics.lookedUp(
        "machine_cpu_cores",
        "Number of logical CPU cores.",
        names,
        action -> action.accept(values, capacity.get(ResourceList.CPU).amount().doubleValue()));
    OptionalLong memory = sample.machine().usage().memory().limit();
    memory.ifPresent(bytes ->
        metrics.lookedUp(
            "machine_memory_bytes",
            "Amount of memory installed on the machine.",
            names,
            action -> action.accept(values, (double) bytes)));
  }

  // How a metric is made.

  private static List<String> with(String... further) {
    return with(LABELS, further);
  }

  private static List<String> with(List<String> labels, String... further) {
    return Stream.concat(labels.stream(), Stream.of(further)).toList();
  }

  private void gauge(String name, String help, ToLongFunction<Usage> figure) {
    metrics.lookedUp(
        name,
        help,
        LABELS,
        action ->
            lines.forEach(
                line -> action.accept(line.labels, (double) figure.applyAsLong(line.usage))));
  }

  private void figure(String name, String help, ToLongFunction<PodGroups.Group> figure) {
    metrics.lookedUp(
        name,
        help,
        LABELS,
        action ->
            groups.forEach(
                each -> action.accept(each.labels, (double) figure.applyAsLong(each.group))));
  }

  private void total(String name, String help, Function<PodGroups.Group, Double> figure) {
    metrics.totals(
        name,
        help,
        LABELS,
        action -> groups.forEach(each -> action.accept(each.labels, figure.apply(each.group))));
  }

  /** Of what has a limit of processors. */
  private void ofLimited(String name, String help, ToLongFunction<GroupDetails.Cpu> figure) {
    metrics.totals(
        name, help, LABELS, action -> limited(action, cpu -> (double) figure.applyAsLong(cpu)));
  }

  private void limited(
      BiConsumer<List<String>, Double> action, Function<GroupDetails.Cpu, Double> figure) {
    groups.stream()
        .filter(each -> each.group.details().cpu().quotaMicros().isPresent())
        .forEach(each -> action.accept(each.labels, figure.apply(each.group.details().cpu())));
  }

  private void disks(String name, String counted, ToLongFunction<GroupDetails.Disk> figure) {
    metrics.totals(
        name,
        "Cumulative count of " + counted,
        with("device"),
        action ->
            groups.forEach(each ->
                each.group
                    .details()
                    .disks()
                    .forEach(disk ->
                        action.accept(
                            with(each.labels, disk.number()), (double) figure.applyAsLong(disk)))));
  }
}
