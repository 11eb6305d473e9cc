package dev.berth.agent.probe;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How often probes went well or not, and how long answers took, under a kubelet's names. A pod's
 * figures go with the pod. Lives on the loop of the pods.
 */
final class ProbeMetrics {
  private static final List<Double> BOUNDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  private final Family<Counter> results;
  private final Family<Histogram> durations;
  private final Map<String, Set<List<String>>> resultsOfPods = new HashMap<>();
  private final Map<String, Set<List<String>>> durationsOfPods = new HashMap<>();

  ProbeMetrics(Metrics metrics) {
    results =
        metrics.counters(
            "prober_probe_total",
            "Probes of containers, by what they are for and what came of them.",
            "probe_type",
            "result",
            "container",
            "pod",
            "namespace",
            "pod_uid");
    durations =
        metrics.histograms(
            "prober_probe_duration_seconds",
            "How long probes took that went well.",
            BOUNDS,
            "probe_type",
            "container",
            "pod",
            "namespace");
  }

  void succeeded(ProbeKind kind, ContainerTarget target, Duration took) {
    count(kind, target, "successful");
    Metadata pod = Metadata.of(target.pod());
    List<String> labels =
        List.of(kind.word(), target.container().text("name", ""), pod.name(), pod.namespace());
    durationsOfPods.computeIfAbsent(pod.uid(), _ -> new HashSet<>()).add(labels);
    durations.with(labels.toArray(String[]::new)).observe(took);
  }

  void failed(ProbeKind kind, ContainerTarget target) {
    count(kind, target, "failed");
  }

  private void count(ProbeKind kind, ContainerTarget target, String result) {
    Metadata pod = Metadata.of(target.pod());
    List<String> labels =
        List.of(
            kind.word(),
            result,
            target.container().text("name", ""),
            pod.name(),
            pod.namespace(),
            pod.uid());
    resultsOfPods.computeIfAbsent(pod.uid(), _ -> new HashSet<>()).add(labels);
    results.with(labels.toArray(String[]::new)).increment();
  }

  /** Nothing is left of a pod. */
  void forget(String podUid) {
    forget(results, resultsOfPods.remove(podUid));
    forget(durations, durationsOfPods.remove(podUid));
  }

  private static void forget(Family<?> family, @Nullable Set<List<String>> all) {
    if (all != null) {
      all.forEach(labels -> family.remove(labels.toArray(String[]::new)));
    }
  }
}
