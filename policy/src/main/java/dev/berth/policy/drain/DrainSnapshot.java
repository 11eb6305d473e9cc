package dev.berth.policy.drain;

import dev.berth.model.core.PodTree;
import dev.berth.model.drain.DrainNode;
import dev.berth.model.drain.DrainSpec;
import dev.berth.model.drain.DrainStatus;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a drain's next step depends on.
 *
 * @param nodes by name: those of the drain, or all of them if it has not begun
 * @param pods those on the drain's nodes, by node
 * @param attempts by UID: what became of the latest request for a pod
 */
public record DrainSnapshot(
    JsonObject drain,
    DrainSpec spec,
    DrainStatus status,
    SortedMap<String, DrainNode> nodes,
    Map<String, List<PodTree>> pods,
    Map<String, Attempt> attempts) {

  /**
   * What became of a request to end a pod.
   *
   * @param isEviction whether budgets were asked
   * @param refusal what the server said; empty if it let the pod go
   * @param nextAt when to ask again, if nothing changes
   */
  public record Attempt(boolean isEviction, String refusal, Instant nextAt) {}

  String uid() {
    return Metadata.of(drain).uid();
  }

  /** When budgets may no longer hold the drain back; empty if they always may. */
  Optional<Instant> deadline() {
    Instant start = status.startTime();
    Optional<Duration> after = spec.deadline();
    return start == null ? Optional.empty() : after.map(start::plus);
  }
}
