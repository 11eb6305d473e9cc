package dev.berth.agent.pod;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import java.util.List;
import java.util.function.IntSupplier;

/** What a node counts of its pods, under a kubelet's names. */
final class KubeletMetrics {
  private final Counter started;
  private final Counter startedPods;
  private final Family<Counter> startFailures;
  private final Family<Counter> rejections;

  /**
   * @param runningPods how many pods have something that runs; asked by any thread
   * @param runningContainers how many containers run; likewise
   */
  KubeletMetrics(Metrics metrics, IntSupplier runningPods, IntSupplier runningContainers) {
    started =
        metrics
            .counters("kubelet_started_containers_total", "Containers that were started.")
            .with();
    startedPods = metrics.counters("kubelet_started_pods_total", "Pods that were started.").with();
    startFailures =
        metrics.counters(
            "kubelet_started_containers_errors_total",
            "Containers that could not be started.",
            "code");
    rejections =
        metrics.counters(
            "kubelet_admission_rejections_total", "Pods that were not let in.", "reason");
    metrics.lookedUp(
        "kubelet_running_pods",
        "Pods that have a container that runs.",
        List.of(),
        action -> action.accept(List.of(), (double) runningPods.getAsInt()));
    metrics.lookedUp(
        "kubelet_running_containers",
        "Containers that run.",
        List.of("container_state"),
        action -> action.accept(List.of("running"), (double) runningContainers.getAsInt()));
  }

  void started() {
    started.increment();
  }

  void startedPod() {
    startedPods.increment();
  }

  void startFailed(String reason) {
    startFailures.with(reason).increment();
  }

  void rejected(String reason) {
    rejections.with(reason).increment();
  }
}
