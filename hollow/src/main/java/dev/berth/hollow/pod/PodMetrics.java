package dev.berth.hollow.pod;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Gauge;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.PodPhase;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Metrics of pods on hollow nodes. */
public final class PodMetrics {
  private final Map<PodPhase, Gauge> pods = new EnumMap<>(PodPhase.class);
  private final Family<Counter> refused;

  public PodMetrics(Metrics metrics) {
    Family<Gauge> byPhase =
        metrics.gauges(
            "hollow_pods", "Pods on simulated nodes by phase, as their nodes know them.", "phase");
    for (PodPhase phase : PodPhase.values()) {
      pods.put(phase, byPhase.with(phase.name().toLowerCase(Locale.ROOT)));
    }
    refused =
        metrics.counters(
            "hollow_pods_refused_total", "Pods that a simulated node did not admit.", "reason");
  }

  /** Counts a pod under its phase as it is now. */
  void count(HollowPod pod) {
    count(pod, pod.phase());
  }

  void forget(HollowPod pod) {
    count(pod, null);
  }

  private void count(HollowPod pod, @Nullable PodPhase now) {
    PodPhase before = pod.counted;
    if (before == now) {
      return;
    }
    pod.counted = now;
    Gauge left = before == null ? null : pods.get(before);
    if (left != null) {
      left.decrement();
    }
    Gauge entered = now == null ? null : pods.get(now);
    if (entered != null) {
      entered.increment();
    }
  }

  void refused(String reason) {
    refused.with(reason).increment();
  }
}
