package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.pod.RejectionBackoff;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be done about a StatefulSet.
 *
 * <ol>
 *   <li>Without a revision of its template nothing is.
 *   <li>Pods come and go as {@link StatefulPodPlan} says, unless the set is being deleted.
 *   <li>Its status is written.
 *   <li>When the set has changed, the claims of its pods get the owners that it wants for them.
 * </ol>
 *
 * @param usedRevisions names of revisions that must stay; empty if all are to stay
 * @param next when a pod will be available, or one that was rejected is to be deleted
 * @param rejections what to remember of pods that their nodes rejected
 */
public record StatefulPlan(
    List<StatefulAction> actions,
    JsonObject withStatus,
    List<StatefulAction> afterStatus,
    Set<String> usedRevisions,
    Optional<Instant> next,
    RejectionBackoff rejections)
    implements Decision<StatefulAction> {

  public StatefulPlan {
    actions = List.copyOf(actions);
    afterStatus = List.copyOf(afterStatus);
    usedRevisions = Set.copyOf(usedRevisions);
  }

  public static StatefulPlan decide(StatefulSnapshot snapshot, Instant now) {
    return snapshot
        .update()
        .map(update -> decide(snapshot, update, now))
        .orElse(
            new StatefulPlan(
                List.of(),
                snapshot.set().tree(),
                List.of(),
                Set.of(),
                Optional.empty(),
                snapshot.rejections()));
  }

  private static StatefulPlan decide(StatefulSnapshot snapshot, Revision update, Instant now) {
    StatefulSetView set = snapshot.set();
    Revision current =
        snapshot.revisions().stream()
            .filter(revision -> revision.name().equals(set.currentRevision()))
            .findFirst()
            .orElse(update);
    StatefulStatus.Revisions revisions =
        new StatefulStatus.Revisions(current.name(), update.name());
    StatefulPodPlan pods =
        StatefulPodPlan.decide(set.spec(), snapshot.pods(), revisions, snapshot.rejections(), now);
    JsonObject counted =
        StatefulStatus.written(set, pods.counts(), revisions, snapshot.collisions());
    if (set.metadata().isBeingDeleted()) {
      return new StatefulPlan(
          List.of(), counted, List.of(), Set.of(), Optional.empty(), snapshot.rejections());
    }
    return new StatefulPlan(
        pods.actions().isEmpty()
            ? List.of()
            : List.of(new StatefulAction.ManagePods(pods.actions(), current, update)),
        counted,
        ownClaims(snapshot),
        used(snapshot.pods(), current, update),
        pods.next(),
        pods.rejections());
  }

  private static List<StatefulAction> ownClaims(StatefulSnapshot snapshot) {
    StatefulSetSpec spec = snapshot.set().spec();
    boolean isDone =
        spec.claimTemplates().isEmpty()
            || snapshot.pods().isEmpty()
            || snapshot.claimsOwnedFor().filter(spec::equals).isPresent();
    return isDone ? List.of() : List.of(new StatefulAction.OwnClaims(snapshot.pods()));
  }

  private static Set<String> used(List<StatefulPod> pods, Revision current, Revision update) {
    Set<String> used = new HashSet<>();
    used.add(current.name());
    used.add(update.name());
    pods.forEach(pod -> used.add(pod.revision()));
    return used;
  }
}
