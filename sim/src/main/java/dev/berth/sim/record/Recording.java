package dev.berth.sim.record;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * All that was recorded of a cluster.
 *
 * @param pods in the order in which they appeared
 * @param podStates how many pods are in each state
 * @param emptied when nodes got NoExecute taints for their health, in milliseconds
 * @param allowed how many nodes may be emptied, in thousandths a minute, of all zones together that
 *     have unhealthy ones
 * @param notes what happened, in order
 */
public record Recording(
    Duration duration,
    List<NodeHistory> nodes,
    List<PodHistory> pods,
    SortedMap<WorkloadId, WorkloadHistory> workloads,
    Map<PodState, StepSeries> podStates,
    Map<NodeState, StepSeries> nodeStates,
    List<Long> emptied,
    StepSeries allowed,
    List<Note> notes) {

  /**
   * Something worth telling.
   *
   * @param time in milliseconds from the beginning
   */
  public record Note(long time, Kind kind, String text) {
    /** What it is about. */
    public enum Kind {
      ACTION,
      ZONE,
      DRAIN
    }
  }

  /** A workload by its name, and by its namespace if that is not empty. */
  public Optional<WorkloadHistory> find(String namespace, String name) {
    return workloads.values().stream()
        .filter(w -> w.id().name().equals(name))
        .filter(w -> namespace.isEmpty() || w.id().namespace().equals(namespace))
        .findFirst();
  }

  public int evictions() {
    return (int) pods.stream().filter(PodHistory::wasEvicted).count();
  }
}
