package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.policy.history.Revision;
import dev.berth.policy.pod.RejectionBackoff;
import java.util.List;
import java.util.Optional;

/**
 * A StatefulSet, its pods and its revisions at an instant, and what the objects do not say.
 *
 * @param pods those that it owns and names
 * @param revisions those that it owns
 * @param update the revision of its template; empty until there is one
 * @param collisions how many hashes of revisions turned out to be taken
 * @param claimsOwnedFor what its claims are known to have the right owners for
 * @param rejections what is remembered of pods that their nodes rejected
 */
public record StatefulSnapshot(
    StatefulSetView set,
    List<StatefulPod> pods,
    List<Revision> revisions,
    Optional<Revision> update,
    long collisions,
    Optional<StatefulSetSpec> claimsOwnedFor,
    RejectionBackoff rejections) {
  public StatefulSnapshot {
    pods = List.copyOf(pods);
    revisions = List.copyOf(revisions);
  }
}
