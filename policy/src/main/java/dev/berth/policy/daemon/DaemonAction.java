package dev.berth.policy.daemon;

import dev.berth.policy.reconcile.Action;
import java.util.List;

/** Something to be done about a DaemonSet. */
public sealed interface DaemonAction extends Action {

  /**
   * Pods come and go, all at once: none depends on another.
   *
   * @param create names of nodes that get a pod
   */
  record ManagePods(List<String> create, List<DaemonNode.Removal> remove) implements DaemonAction {
    public ManagePods {
      create = List.copyOf(create);
      remove = List.copyOf(remove);
    }

    @Override
    public String reason() {
      return "create pods on %d nodes, delete %d pods".formatted(create.size(), remove.size());
    }
  }
}
