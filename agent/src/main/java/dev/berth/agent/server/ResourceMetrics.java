package dev.berth.agent.server;

import dev.berth.agent.runtime.PodUsage;
import java.time.Instant;
import java.util.function.ToLongFunction;

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
        "Current amount of the container swap usage in bytes.",
        "gauge",
        usage -> (double) usage.swapBytes());
    startTimes();
    head(
        "node_cpu_usage_seconds_total",
        "Cumulative cpu time consumed by the node in core-seconds",
        "counter");
    line(
        "node_cpu_usage_seconds_total", "", sample.machine().usage().cpuNanos() / NANOS_PER_SECOND);
    head("node_memory_working_set_bytes", "Current working set of the node in bytes", "gauge");
    line("node_memory_working_set_bytes", "", (double) sample.machine().usage().workingSetBytes());
    head("node_swap_usage_bytes", "Current swap usage of the node in bytes.", "gauge");
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
        "Current amount of the pod swap usage in bytes.",
        "gauge",
        usage -> (double) usage.swapBytes());
    head("resource_scrape_error", "1 if there was an error while getting metrics", "gauge");
    out.append("resource_scrape_error 0\n");
    return out.toString();
  }

  /** Those of cAdvisor that there is something to say about. */
  String detailedText() {
    containers(
        "container_cpu_usage_seconds_total",
        "Cumulative cpu time consumed in seconds.",
        "counter",
        usage -> usage.cpuNanos() / NANOS_PER_SECOND);
    gauge(
        "container_memory_usage_bytes",
        "Current memory usage in bytes.",
        PodUsage.Usage::memoryBytes);
    gauge(
        "container_memory_working_set_bytes",
        "Current working set in bytes.",
        PodUsage.Usage::workingSetBytes);
    gauge("container_memory_rss", "Size of RSS in bytes.", PodUsage.Usage::rssBytes);
    gauge("container_memory_swap", "Container swap usage in bytes.", PodUsage.Usage::swapBytes);
    gauge(
        "container_processes",
        "Number of processes running inside the container.",
        PodUsage.Usage::processes);
    head("container_network_receive_bytes_total", "Cumulative count of bytes received", "counter");
    for (UsageSampler.OfPod pod : sample.pods()) {
      line(
          "container_network_receive_bytes_total",
          "interface=\"eth0\"," + labels(pod),
          (double) pod.usage().network().receivedBytes());
    }
    head(
        "container_network_transmit_bytes_total",
        "Cumulative count of bytes transmitted",
        "counter");
    for (UsageSampler.OfPod pod : sample.pods()) {
      line(
          "container_network_transmit_bytes_total",
          "interface=\"eth0\"," + labels(pod),
          (double) pod.usage().network().sentBytes());
    }
    return out.toString();
  }

  /** A figure of something's use. */
  private interface Figure {
    double of(PodUsage.Usage usage);
  }

  private void gauge(String name, String help, ToLongFunction<PodUsage.Usage> figure) {
    containers(name, help, "gauge", usage -> (double) figure.applyAsLong(usage));
  }

  private void containers(String name, String help, String type, Figure figure) {
    head(name, help, type);
    for (UsageSampler.OfPod pod : sample.pods()) {
      for (UsageSampler.OfContainer container : pod.containers()) {
        line(name, labels(pod, container), figure.of(container.usage().usage()));
      }
    }
  }

  private void startTimes() {
    String name = "container_start_time_seconds";
    head(name, "Start time of the container since unix epoch in seconds", "gauge");
    for (UsageSampler.OfPod pod : sample.pods()) {
      for (UsageSampler.OfContainer container : pod.containers()) {
        Instant since = container.since();
        line(name, labels(pod, container), since.toEpochMilli() / MILLIS_PER_SECOND);
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
