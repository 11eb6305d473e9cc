package dev.berth.policy.deployment;

import dev.berth.model.apps.DeploymentView;
import dev.berth.model.apps.ReplicaSetView;
import java.util.List;

/**
 * A deployment and its replica sets at an instant.
 *
 * @param sets those that it owns and selects, and that are not on their way out
 */
public record DeploymentSnapshot(DeploymentView deployment, List<ReplicaSetView> sets) {
  public DeploymentSnapshot {
    sets = List.copyOf(sets);
  }
}
