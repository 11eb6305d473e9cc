package dev.berth.agent.server;

import dev.berth.agent.runtime.PodUsage;
import java.time.Instant;

/**
 * Processors and memory as metrics with the times of their measurement, under the names that
 * upstream's kubelet gives them.
 */
final class ResourceMetrics {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final UsageSampler.Sample sample;
  private final StringBuilder out = new StringBuilder();

  ResourceMetrics(UsageSampler.Sample sample) {
    this.sample = sample;
  }

  /** What {@code /metrics/resource} shows. */
  String text() {
    containers(
        "container_cpu_usage_seconds_total",
        "Cumulative cpu time consumed by the container in core-seconds",
        "counter",
        usage -> usage.cpuNanos() / NANOS_PER_SECOND);
    containers(
        "container_memory_working_set_bytes",
        "Current working set of the container in bytes",
        "gauge",
        usage -> (double) usage.workingSetBytes());
    containers(
        "container_swap_usage_bytes",
        "Current amount of the container swap usage in bytes. Reported only on non-windows systems",
        "gauge",
        usage -> (double) usage.swapBytes());
    swapLimits();
    startTimes();
    head(
        "node_cpu_usage_seconds_total",
        "Cumulative cpu time consumed by the node in core-seconds",
        "counter");
    line(
        "node_cpu_usage_seconds_total", "", sample.machine().usage().cpuNanos() / NANOS_PER_SECOND);
    head("node_memory_working_set_bytes", "Current working set of the node in bytes", "gauge");
    line("node_memory_working_set_bytes", "", (double) sample.machine().usage().workingSetBytes());
    head(
        "node_swap_usage_bytes",
        "Current swap usage of the node in bytes. Reported only on non-windows systems",
        "gauge");
    line("node_swap_usage_bytes", "", (double) sample.machine().usage().swapBytes());
    pods(
        "pod_cpu_usage_seconds_total",
        "Cumulative cpu time consumed by the pod in core-seconds",
        "counter",
        usage -> usage.cpuNanos() / NANOS_PER_SECOND);
    pods(
        "pod_memory_working_set_bytes",
        "Current working set of the pod in bytes",
        "gauge",
        usage -> (double) usage.workingSetBytes());
    pods(
        "pod_swap_usage_bytes",
        "Current amount of the pod swap usage in bytes. Reported only on non-windows systems",
        "gauge",
        usage -> (double) usage.swapBytes());
    head(
        "resource_scrape_error",
        "1 if there was an error while getting container metrics, 0 otherwise",
        "gauge");
    out.append("resource_scrape_error ").append(sample.isComplete() ? 0 : 1).append('\n');
    return out.toString();
  }

  /** A figure of something's use. */
  private interface Figure {
    double of(PodUsage.Usage usage);
  }

  private void containers(String name, String help, String type, Figure figure) {
    head(name, help, type);
    for (UsageSampler.OfPod pod : sample.pods()) {
      for (UsageSampler.OfContainer container : pod.containers()) {
        line(name, labels(pod, container), figure.of(container.usage().usage()));
      }
    }
  }

  /** Of those that have one. */
  private void swapLimits() {
    String name = "container_swap_limit_bytes";
    head(
        name,
        "Current amount of the container swap limit in bytes. Reported only on non-windows systems",
        "gauge");
    for (UsageSampler.OfPod pod : sample.pods()) {
      for (UsageSampler.OfContainer container : pod.containers()) {
        container
            .usage()
            .usage()
            .memory()
            .swapLimit()
            .ifPresent(limit -> line(name, labels(pod, container), (double) limit));
      }
    }
  }

  /** Without the time of their measurement, since it does not matter to them. */
  private void startTimes() {
    String name = "container_start_time_seconds";
    head(name, "Start time of the container since unix epoch in seconds", "gauge");
    for (UsageSampler.OfPod pod : sample.pods()) {
      for (UsageSampler.OfContainer container : pod.containers()) {
        Instant since = container.since();
        out.append(name)
            .append('{')
            .append(labels(pod, container))
            .append("} ")
            .append(since.toEpochMilli() / MILLIS_PER_SECOND)
            .append('\n');
      }
    }
  }

  private void pods(String name, String help, String type, Figure figure) {
    head(name, help, type);
    for (UsageSampler.OfPod pod : sample.pods()) {
      line(name, labels(pod), figure.of(pod.usage().total()));
    }
  }

  /** Names of objects hold nothing that would have to be escaped. */
  private static String labels(UsageSampler.OfPod pod) {
    return "namespace=\"%s\",pod=\"%s\"".formatted(pod.pod().namespace(), pod.pod().name());
  }

  private static String labels(UsageSampler.OfPod pod, UsageSampler.OfContainer container) {
    return "container=\"%s\",%s".formatted(container.usage().name(), labels(pod));
  }

  private void head(String name, String help, String type) {
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void line(String name, String labels, double value) {
    out.append(name);
    if (!labels.isEmpty()) {
      out.append('{').append(labels).append('}');
    }
    out.append(' ').append(value).append(' ').append(sample.at().toEpochMilli()).append('\n');
  }
}
