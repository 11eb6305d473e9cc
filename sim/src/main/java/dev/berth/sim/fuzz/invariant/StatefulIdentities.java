package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.PodTree;
import java.util.Optional;

/**
 * W1, T13: no two pods of one name of a StatefulSet ever run. A pod that may run somewhere leaves
 * the store only when its node has confirmed that it has ended, or when that node is gone; until
 * then, its name cannot be given to another.
 */
public final class StatefulIdentities implements Invariant {
  private final String nodes;

  /**
   * @param nodes the process that nodes run in
   */
  public StatefulIdentities(String nodes) {
    this.nodes = nodes;
  }

  @Override
  public String words() {
    return "a StatefulSet's pod runs once";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    if (!change.resource().equals(ClusterState.PODS) || change.after() != null) {
      return Optional.empty();
    }
    PodTree pod = new PodTree(change.latest());
    boolean mayRun = pod.isBound() && !pod.phase().finished();
    boolean isStateful =
        pod.metadata().controller().filter(owner -> owner.kind().equals("StatefulSet")).isPresent();
    return isStateful
            && mayRun
            && !change.sender().equals(nodes)
            && state.node(pod.nodeName()) != null
        ? Optional.of(
            "%s was removed by %s while %s had not confirmed its end"
                .formatted(change.name(), change.sender(), pod.nodeName()))
        : Optional.empty();
  }
}
