package dev.berth.policy.replicaset;

import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;
import dev.berth.policy.reconcile.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
 * @param count the pods as they are, before any of that
 * @param withStatus the set with the status that says so
 */
public record ReplicaPlan(List<ReplicaAction> actions, ReplicaCount count, JsonObject withStatus)
    implements Decision<ReplicaAction> {

  /** How many pods are created or deleted by one decision; upstream's burst. */
  public static final int BURST = 500;

  public ReplicaPlan {
    actions = List.copyOf(actions);
  }

  public static ReplicaPlan decide(ReplicaSnapshot snapshot, Instant now) {
    ReplicaSetView set = snapshot.set();
    List<Replica> active = snapshot.pods().stream().filter(Replica::isActive).toList();
    ReplicaCount count = count(set, snapshot.pods(), now);
    JsonObject status = ReplicaStatus.of(set, count, snapshot.failure(), now);
    return new ReplicaPlan(
        actions(snapshot, active, now), count, set.tree().with("status", status));
  }

  @Override
  public Optional<Instant> next() {
    return count.nextAvailable();
  }

  private static List<ReplicaAction> actions(
      ReplicaSnapshot snapshot, List<Replica> active, Instant now) {
    ReplicaSetView set = snapshot.set();
    long missing = set.replicas() - active.size();
    if (missing == 0 || set.metadata().isBeingDeleted()) {
      return List.of();
    }
    if (missing > 0) {
      JsonObject pod = FromTemplate.pod(set.tree(), set.template());
      return List.of(new ReplicaAction.Create(Math.min(missing, BURST), pod));
    }
    List<Replica> sharing = snapshot.related().get().stream().filter(Replica::isActive).toList();
    long surplus = Math.min(-missing, BURST);
    return List.of(new ReplicaAction.Delete(DeletionOrder.first(surplus, active, sharing, now)));
  }

  private static ReplicaCount count(ReplicaSetView set, List<Replica> pods, Instant now) {
    LabelSelector template = LabelSelector.ofLabels(set.templateLabels());
    Duration minReady = set.minReady();
    long replicas = 0;
    long labeled = 0;
    long ready = 0;
    long available = 0;
    long terminating = 0;
    Instant next = Instant.MAX;
    for (Replica replica : pods) {
      if (!replica.isActive()) {
        terminating += replica.isFinished() ? 0 : 1;
        continue;
      }
      replicas++;
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
        replicas,
        labeled,
        ready,
        available,
        terminating,
        next.equals(Instant.MAX) ? Optional.empty() : Optional.of(next));
  }
}
