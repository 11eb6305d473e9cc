package dev.berth.policy.replicaset;

import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What is to be done so that a set has as many pods as it is to have.
 *
 * <ol>
 *   <li>Pods that have finished, or are on their way out, do not count: others take their place.
 *   <li>Missing pods are created, those too many are deleted, {@link DeletionOrder} says which; at
 *       most so many by one decision, so that the status tells how it goes on.
 *   <li>A set that is being deleted leaves its pods alone.
 * </ol>
 *
 * @param create how many
 * @param delete which
 * @param count the pods as they are, before any of that
 */
public record ReplicaPlan(long create, List<JsonObject> delete, ReplicaCount count) {

  /** How many pods are created or deleted by one decision; upstream's burst. */
  public static final int BURST = 500;

  public ReplicaPlan {
    delete = List.copyOf(delete);
  }

  /**
   * Decides.
   *
   * @param pods those that the set owns and selects
   * @param isBeingDeleted whether a pod is on its way out, as far as is known
   * @param related the pods of all sets of the set's owner; asked for if there are pods to delete
   */
  public static ReplicaPlan decide(
      JsonObject set,
      Collection<JsonObject> pods,
      Predicate<JsonObject> isBeingDeleted,
      Supplier<Collection<JsonObject>> related,
      Instant now) {
    List<JsonObject> active = new ArrayList<>(pods.size());
    ReplicaCount count = count(set, pods, isBeingDeleted, active, now);
    long missing = set.object("spec").integer("replicas").orElse(1) - active.size();
    if (missing == 0 || set.object("metadata").has("deletionTimestamp")) {
      return new ReplicaPlan(0, List.of(), count);
    }
    if (missing > 0) {
      return new ReplicaPlan(Math.min(missing, BURST), List.of(), count);
    }
    Predicate<JsonObject> isActive = pod -> isActive(new Replica(pod), isBeingDeleted);
    List<JsonObject> sharing = related.get().stream().filter(isActive).toList();
    long surplus = Math.min(-missing, BURST);
    return new ReplicaPlan(0, DeletionOrder.first(surplus, active, sharing, now), count);
  }

  private static boolean isActive(Replica replica, Predicate<JsonObject> isBeingDeleted) {
    return !replica.isFinished() && !isBeingDeleted.test(replica.pod());
  }

  /** The pods of a set as they are. */
  public static ReplicaCount count(
      JsonObject set,
      Collection<JsonObject> pods,
      Predicate<JsonObject> isBeingDeleted,
      Instant now) {
    return count(set, pods, isBeingDeleted, new ArrayList<>(), now);
  }

  private static ReplicaCount count(
      JsonObject set,
      Collection<JsonObject> pods,
      Predicate<JsonObject> isBeingDeleted,
      List<JsonObject> active,
      Instant now) {
    JsonObject spec = set.object("spec");
    JsonObject labels = spec.object("template").object("metadata").object("labels");
    LabelSelector template = LabelSelector.ofLabels(labels);
    Duration minReady = Duration.ofSeconds(spec.integer("minReadySeconds").orElse(0));
    long labeled = 0;
    long ready = 0;
    long available = 0;
    long terminating = 0;
    Instant next = Instant.MAX;
    for (JsonObject pod : pods) {
      Replica replica = new Replica(pod);
      if (replica.isFinished()) {
        continue;
      }
      if (isBeingDeleted.test(pod)) {
        terminating++;
        continue;
      }
      active.add(pod);
      labeled += template.matches(replica.metadata().labels()) ? 1 : 0;
      ready += replica.isReady() ? 1 : 0;
      Optional<Instant> at = replica.availableAt(minReady);
      if (at.isPresent() && at.get().isAfter(now)) {
        next = at.get().isBefore(next) ? at.get() : next;
      } else if (at.isPresent()) {
        available++;
      }
    }
    return new ReplicaCount(
        active.size(),
        labeled,
        ready,
        available,
        terminating,
        next.equals(Instant.MAX) ? Optional.empty() : Optional.of(next));
  }
}
