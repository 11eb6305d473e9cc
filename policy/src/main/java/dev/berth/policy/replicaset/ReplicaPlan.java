package dev.berth.policy.replicaset;

import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.owner.FromTemplate;
import dev.berth.policy.pod.RejectionBackoff;
import dev.berth.policy.reconcile.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is to be done so that a set has as many pods as it is to have.
 *
 * <ol>
 *   <li>Pods that have finished, or are on their way out, do not count: others take their place.
 *   <li>Missing pods are created, those too many are deleted, {@link DeletionOrder} says which; at
 *       most so many by one decision, so that the status tells how it goes on.
 *   <li>Pods that their nodes rejected are replaced after a while: {@link RejectionBackoff}.
 *   <li>A set that is being deleted leaves its pods alone.
 * </ol>
 *
 * @param count the pods as they are, before any of that
 * @param withStatus the set with the status that says so
 * @param rejections what to remember of pods that their nodes rejected
 * @param next when to decide again, even if nothing happens
 */
public record ReplicaPlan(
    List<ReplicaAction> actions,
    ReplicaCount count,
    JsonObject withStatus,
    RejectionBackoff rejections,
    Optional<Instant> next)
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
    long missing = set.replicas() - active.size();
    Set<String> rejected = rejected(snapshot.pods());
    RejectionBackoff before = snapshot.rejections();
    long held = missing <= 0 ? 0 : rejected.stream().filter(uid -> before.holds(uid, now)).count();
    return new ReplicaPlan(
        actions(snapshot, active, missing <= 0 ? missing : Math.max(0, missing - held), now),
        count,
        set.tree().with("status", status),
        missing <= 0
            ? before.having(rejected)
            : held > 0 ? before : before.replacing(rejected, now),
        held > 0 ? Optional.of(earlier(before.until(), count)) : count.nextAvailable());
  }

  private static Set<String> rejected(List<Replica> pods) {
    return pods.stream()
        .filter(Replica::isRejected)
        .map(replica -> replica.metadata().uid())
        .collect(Collectors.toSet());
  }

  private static Instant earlier(Instant at, ReplicaCount count) {
    return count.nextAvailable().filter(available -> available.isBefore(at)).orElse(at);
  }

  /**
   * What is to be done.
   *
   * @param missing how many pods are to be created; fewer than none if some are too many
   */
  private static List<ReplicaAction> actions(
      ReplicaSnapshot snapshot, List<Replica> active, long missing, Instant now) {
    ReplicaSetView set = snapshot.set();
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
