package dev.berth.policy.replicaset;

import dev.berth.model.apps.ReplicaSetView;
import dev.berth.policy.pod.RejectionBackoff;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A set and its pods at an instant.
 *
 * @param pods those that it owns and selects
 * @param related the pods of all sets of the set's owner, which are read if there are pods to
 *     delete
 * @param failure what went wrong last; empty if nothing did
 * @param rejections what is remembered of pods that their nodes rejected
 */
public record ReplicaSnapshot(
    ReplicaSetView set,
    List<Replica> pods,
    Supplier<List<Replica>> related,
    Optional<Failed> failure,
    RejectionBackoff rejections) {
  public ReplicaSnapshot {
    pods = List.copyOf(pods);
  }

  /**
   * Why the set has not what it is to have.
   *
   * @param reason {@code FailedCreate} or {@code FailedDelete}
   */
  public record Failed(String reason, String message) {}
}
