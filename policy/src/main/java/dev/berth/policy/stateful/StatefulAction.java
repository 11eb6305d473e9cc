package dev.berth.policy.stateful;

import dev.berth.policy.history.Revision;
import dev.berth.policy.reconcile.Action;
import java.util.List;
import java.util.stream.Collectors;

/** Something to be done about a StatefulSet. */
public sealed interface StatefulAction extends Action {

  /**
   * Pods come and go, all at once: none of the actions depends on another.
   *
   * @param current the revision that pods had
   * @param update the revision that they get
   */
  record ManagePods(List<PodAction> pods, Revision current, Revision update)
      implements StatefulAction {
    @Override
    public String reason() {
      return pods.stream().map(PodAction::reason).collect(Collectors.joining("; "));
    }
  }

  /** The claims of its pods are to have the owners that the set's policy says now. */
  record OwnClaims(List<StatefulPod> pods) implements StatefulAction {
    @Override
    public String reason() {
      return "set the owners of the claims of " + pods.size() + " pods";
    }
  }
}
