package dev.berth.agent.pod;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.PodPhase;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** What a node counts of its pods, under a kubelet's names. */
final class KubeletMetrics {
  private static final List<Double> PULL_SECONDS =
      List.of(
          1.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 180.0, 240.0, 300.0, 360.0, 480.0, 600.0, 900.0,
          1200.0, 1800.0, 2700.0, 3600.0);

  /** What images are called by their size; each ends where the next begins. */
  private static final NavigableMap<Long, String> SIZES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(0L, "0-10MB"),
              Map.entry(10L << 20, "10MB-100MB"),
              Map.entry(100L << 20, "100MB-500MB"),
              Map.entry(500L << 20, "500MB-1GB"),
              Map.entry(1L << 30, "1GB-5GB"),
              Map.entry(5L << 30, "5GB-10GB"),
              Map.entry(10L << 30, "10GB-20GB"),
              Map.entry(20L << 30, "20GB-30GB"),
              Map.entry(30L << 30, "30GB-40GB"),
              Map.entry(40L << 30, "40GB-60GB"),
              Map.entry(60L << 30, "60GB-100GB"),
              Map.entry(100L << 30, "GT100GB")));

  private static final List<Double> START_SECONDS =
      List.of(
          0.5, 1d, 2d, 3d, 4d, 5d, 6d, 8d, 10d, 20d, 30d, 45d, 60d, 120d, 180d, 240d, 300d, 360d,
          480d, 600d, 900d, 1200d, 1800d, 2700d, 3600d);
  private static final List<Double> SANDBOX_SECONDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1d, 2.5, 5d, 10d);

  /** Lists of a status, and what their containers are called in labels. */
  private static final Map<String, String> TYPES =
      Map.of(
          "containerStatuses", "container",
          "initContainerStatuses", "init_container",
          "ephemeralContainerStatuses", "ephemeral_container");

  private final Family<Counter> started;
  private final Family<Counter> terminated;
  private final Counter startedPods;
  private final Counter userNamespaces;
  private final Counter userNamespaceFailures;
  private final Family<Counter> startFailures;
  private final Family<Counter> rejections;
  private final Family<Counter> preemptions;
  private final Counter orphans;
  private final Histogram podStarts;
  private final Family<Histogram> sandboxes;
  private final Family<Counter> sandboxFailures;
  private final Counter podFailures;
  private final Family<Histogram> pulls;

  /**
   * @param runningPods how many pods have something that runs; asked by any thread
   * @param runningContainers how many containers run; likewise
   */
  KubeletMetrics(
      Metrics metrics, String node, IntSupplier runningPods, IntSupplier runningContainers) {
    started =
        metrics.counters(
            "kubelet_started_containers_total", "Containers that were started.", "container_type");
    terminated =
        metrics.counters(
            "kubelet_terminated_containers_total",
            "Containers that have ended.",
            "container_type",
            "exit_code",
            "reason");
    userNamespaces =
        metrics
            .counters(
                "kubelet_started_user_namespaced_pods_total",
                "Sandboxes of pods with users of their own that were begun.")
            .with();
    userNamespaceFailures =
        metrics
            .counters(
                "kubelet_started_user_namespaced_pods_errors_total",
                "Sandboxes of pods with users of their own that could not be made.")
            .with();
    startedPods = metrics.counters("kubelet_started_pods_total", "Pods that were started.").with();
    startFailures =
        metrics.counters(
            "kubelet_started_containers_errors_total",
            "Containers that could not be started.",
            "container_type",
            "code");
    rejections =
        metrics.counters(
            "kubelet_admission_rejections_total", "Pods that were not let in.", "reason");
    pulls =
        metrics.histograms(
            "kubelet_image_pull_duration_seconds",
            "How long pulls of images took, with waiting for others, by the size of the image.",
            PULL_SECONDS,
            "image_size_in_bytes");
    preemptions =
        metrics.counters(
            "kubelet_preemptions",
            "Pods that had to make way for critical ones, by what there was too little of.",
            "preemption_signal");
    orphans =
        metrics
            .counters(
                "kubelet_orphaned_runtime_pods_total",
                "Pods that ran and that nobody wanted any more when the agent was started.")
            .with();
    podStarts =
        metrics
            .histograms(
                "kubelet_pod_start_duration_seconds",
                "From the moment that a pod was first seen until it runs.",
                START_SECONDS)
            .with();
    sandboxes =
        metrics.histograms(
            "kubelet_run_podsandbox_duration_seconds",
            "How long it took to make what the containers of a pod share.",
            SANDBOX_SECONDS,
            "runtime_handler");
    sandboxFailures =
        metrics.counters(
            "kubelet_run_podsandbox_errors_total",
            "How often what the containers of a pod share could not be made.",
            "runtime_handler");
    podFailures =
        metrics
            .counters("kubelet_started_pods_errors_total", "Pods that could not be started.")
            .with();
    metrics.lookedUp(
        "kubelet_node_name",
        "The node's name. The count is always 1.",
        List.of("node"),
        action -> action.accept(List.of(node), 1d));
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

  void started(JsonObject pod, String container) {
    started.with(PodContainers.type(pod, container)).increment();
  }

  void startedWithUsers() {
    userNamespaces.increment();
  }

  void failedWithUsers() {
    userNamespaceFailures.increment();
  }

  void startedPod() {
    startedPods.increment();
  }

  void startFailed(JsonObject pod, String container, String reason) {
    startFailures.with(PodContainers.type(pod, container), reason).increment();
  }

  void rejected(String reason) {
    rejections.with(reason).increment();
  }

  /** Pods make way for another one. */
  void preempted(String resource, int pods) {
    for (int i = 0; i < pods; i++) {
      preemptions.with(resource).increment();
    }
  }

  void orphaned() {
    orphans.increment();
  }

  void madeSandbox(String handler, Duration took) {
    sandboxes.with(handler).observe(took);
  }

  void sandboxFailed(String handler) {
    sandboxFailures.with(handler).increment();
    podFailures.increment();
  }

  /**
   * Counts what is new in what is said of a pod: containers that have ended, and that it runs.
   *
   * @param since how long it has been known
   */
  void said(JsonObject before, JsonObject now, Duration since) {
    if (isRunning(now) && PodPhase.of(before.text("phase", "")) == PodPhase.PENDING) {
      podStarts.observe(since);
    }
    TYPES.forEach((list, type) -> {
      Map<String, JsonObject> old =
          before.array(list).objects().stream()
              .collect(Collectors.toMap(each -> each.text("name", ""), each -> each, (a, _) -> a));
      for (JsonObject container : now.array(list).objects()) {
        JsonObject end = end(container);
        if (!end.isEmpty()
            && end(old.getOrDefault(container.text("name", ""), JsonObject.EMPTY)).isEmpty()) {
          terminated
              .with(type, "" + end.integer("exitCode").orElse(0), end.text("reason", ""))
              .increment();
        }
      }
    });
  }

  private static boolean isRunning(JsonObject status) {
    return PodPhase.of(status.text("phase", "")) == PodPhase.RUNNING;
  }

  private static JsonObject end(JsonObject container) {
    return container.object("state").object("terminated");
  }

  void pulled(Duration took, long bytes) {
    pulls.with(size(bytes)).observe(took);
  }

  static String size(long bytes) {
    Map.Entry<Long, String> below = SIZES.lowerEntry(bytes);
    return below == null ? "N/A" : below.getValue();
  }
}
