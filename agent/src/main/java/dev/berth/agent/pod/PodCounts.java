package dev.berth.agent.pod;

import dev.berth.metrics.Metrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * How many pods a node has, by how far they have come and where they are from: figures under a
 * kubelet's names. Written by the loop of the pods, read by whoever wants to see the metrics.
 */
final class PodCounts {
  private static final List<String> LIFECYCLES = List.of("sync", "terminating", "terminated");

  /** Where pods are from, and whether that is a file; nobody knows of what only the runtime has. */
  private static final List<List<String>> SOURCES =
      List.of(
          List.of("desired", ""),
          List.of("desired", "true"),
          List.of("orphan", ""),
          List.of("orphan", "true"),
          List.of("runtime_only", "unknown"));

  private final Map<String, OfPod> pods = new ConcurrentHashMap<>();

  /** A pod, in the words of the labels. */
  private record OfPod(String lifecycle, String config, String isStatic) {
    boolean isDesired() {
      return config.equals("desired");
    }

    boolean isActive() {
      return isDesired() && !lifecycle.equals("terminated");
    }

    boolean hasMirror() {
      return isStatic.equals("true");
    }
  }

  PodCounts(Metrics metrics) {
    metrics.lookedUp(
        "kubelet_desired_pods",
        "Pods that the node is to run; static ones are not from the API server.",
        List.of("static"),
        action ->
            List.of("", "true")
                .forEach(isStatic ->
                    action.accept(
                        List.of(isStatic),
                        count(pod -> pod.isDesired() && pod.isStatic.equals(isStatic)))));
    metrics.lookedUp(
        "kubelet_active_pods",
        "Pods that count when another one is to be let in; static ones are not from the API server.",
        List.of("static"),
        action ->
            List.of("", "true")
                .forEach(isStatic ->
                    action.accept(
                        List.of(isStatic),
                        count(pod -> pod.isActive() && pod.isStatic.equals(isStatic)))));
    metrics.lookedUp(
        "kubelet_mirror_pods",
        "Static pods, which have a pod on the API server each.",
        List.of(),
        action -> action.accept(List.of(), count(OfPod::hasMirror)));
    metrics.lookedUp(
        "kubelet_working_pods",
        "Pods that the node works on, by how far they have come and whether they still are to run.",
        List.of("lifecycle", "config", "static"),
        action -> {
          for (String lifecycle : LIFECYCLES) {
            for (List<String> source : SOURCES) {
              OfPod wanted = new OfPod(lifecycle, source.getFirst(), source.getLast());
              action.accept(
                  List.of(lifecycle, wanted.config, wanted.isStatic), count(wanted::equals));
            }
          }
        });
  }

  private double count(Predicate<OfPod> which) {
    return pods.values().stream().filter(which).count();
  }

  /** A pod may have come further. */
  void see(PodWorker worker) {
    String lifecycle =
        switch (worker.stage()) {
          case RUNS -> "sync";
          case ENDING -> "terminating";
          case ENDED -> "terminated";
        };
    pods.put(
        worker.id().uid(),
        Orphan.is(worker.pod())
            ? new OfPod(lifecycle, "runtime_only", "unknown")
            : new OfPod(
                lifecycle,
                worker.isRemoved() ? "orphan" : "desired",
                worker.rules().isStatic() ? "true" : ""));
  }

  /** Nothing is left of a pod. */
  void forget(PodWorker worker) {
    pods.remove(worker.id().uid());
  }
}
