package dev.berth.policy.replicaset;

import dev.berth.model.core.ContainerStatus;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.RejectionBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pod as the set that it belongs to sees it.
 *
 * @param isGoing whether it is on its way out, as far as is known
 */
public record Replica(PodTree pod, boolean isGoing) {

  public static Replica read(JsonObject pod) {
    PodTree tree = new PodTree(pod);
    return new Replica(tree, tree.terminating());
  }

  /** Whether it counts. */
  boolean isActive() {
    return !isFinished() && !isGoing;
  }

  public Metadata metadata() {
    return pod.metadata();
  }

  public PodPhase phase() {
    return pod.phase();
  }

  public boolean isFinished() {
    return phase().finished();
  }

  /** Whether its node rejected it. */
  boolean isRejected() {
    return RejectionBackoff.isRejected(pod);
  }

  /** The node that it is assigned to; empty if there is none yet. */
  public String node() {
    return pod.nodeName();
  }

  public boolean isReady() {
    return pod.ready();
  }

  /** Since when it is ready; empty if it is not, or does not say. */
  public Optional<Instant> readySince() {
    return pod.readySince();
  }

  /** When it has been ready long enough to count as available; empty if it is not ready. */
  public Optional<Instant> availableAt(Duration minReady) {
    if (minReady.isZero()) {
      return isReady() ? Optional.of(Instant.EPOCH) : Optional.empty();
    }
    return readySince().map(since -> since.plus(minReady));
  }

  /**
   * What it would cost to lose it, as its annotation says; 0 where that says nothing or nonsense.
   */
  long deletionCost() {
    String cost = metadata().annotation(WellKnownAnnotations.POD_DELETION_COST).orElse("0");
    try {
      return Integer.parseInt(cost);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** How often the container that was restarted most was restarted. */
  long restarts() {
    return most(pod.containerStatuses());
  }

  /** The same among the containers that start first, of which sidecars go on. */
  long initRestarts() {
    return most(pod.initContainerStatuses());
  }

  private static long most(List<ContainerStatus> containers) {
    return containers.stream().mapToLong(ContainerStatus::restartCount).max().orElse(0);
  }
}
