package dev.berth.policy.replicaset;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pod as the set that it belongs to sees it; read from the tree when asked.
 *
 * @param isGoing whether it is on its way out, as far as is known
 */
public record Replica(JsonObject pod, boolean isGoing) {

  public static Replica read(JsonObject pod) {
    return new Replica(pod, Metadata.of(pod).isBeingDeleted());
  }

  /** Whether it counts. */
  boolean isActive() {
    return !isFinished() && !isGoing;
  }

  public Metadata metadata() {
    return Metadata.of(pod);
  }

  public PodPhase phase() {
    return PodPhase.of(pod.object("status").text("phase", ""));
  }

  public boolean isFinished() {
    return phase().finished();
  }

  /** The node that it is assigned to; empty if there is none yet. */
  public String node() {
    return pod.object("spec").text("nodeName", "");
  }

  private Optional<JsonObject> ready() {
    return Conditions.find(pod.object("status").array("conditions"), Condition.READY)
        .filter(condition -> condition.text("status", "").equals(Conditions.TRUE));
  }

  public boolean isReady() {
    return ready().isPresent();
  }

  /** Since when it is ready; empty if it is not, or does not say. */
  public Optional<Instant> readySince() {
    return ready().map(condition -> condition.text("lastTransitionTime")).map(Times::parse);
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
    return most(pod.object("status").array("containerStatuses").objects());
  }

  /** The same among the containers that start first, of which sidecars go on. */
  long initRestarts() {
    return most(pod.object("status").array("initContainerStatuses").objects());
  }

  private static long most(List<JsonObject> statuses) {
    return statuses.stream().mapToLong(c -> c.integer("restartCount").orElse(0)).max().orElse(0);
  }
}
