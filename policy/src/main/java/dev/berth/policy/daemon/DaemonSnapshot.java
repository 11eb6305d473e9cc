package dev.berth.policy.daemon;

import dev.berth.model.core.DaemonSetView;
import dev.berth.model.core.NodeView;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A DaemonSet at an instant: the nodes where something has changed since they were last decided
 * about, and what all others add up to. So whatever changes on a node costs as much as that node,
 * however many there are.
 *
 * @param revisions hashes of the revisions of its template; empty until there is one
 * @param collisions how many hashes of revisions turned out to be taken
 * @param changed by name
 * @param others what the others count
 * @param outdated the pods of the others that are to go when there is room, by node, in the order
 *     in which they are
 */
public record DaemonSnapshot(
    DaemonSetView set,
    Set<String> revisions,
    long collisions,
    TolerationRules tolerations,
    Map<String, Node> changed,
    DaemonCounts others,
    Map<String, DaemonNode.Outdated> outdated) {

  /**
   * A node and what the DaemonSet has there.
   *
   * @param node empty if there is no such node
   * @param pods those that are here or meant for here
   * @param failures when failed pods of this node were replaced
   */
  public record Node(Optional<NodeView> node, List<DaemonPod> pods, FailureBackoff failures) {
    public Node {
      pods = List.copyOf(pods);
    }

    DaemonNode read(DaemonSetView set, TolerationRules tolerations) {
      return new DaemonNode(
          node.map(view -> DaemonEligibility.of(set.spec(), view, tolerations))
              .orElseGet(DaemonEligibility.NotSelected::new),
          node.map(DaemonNode.State::of).orElse(DaemonNode.State.GONE),
          pods,
          false,
          failures);
    }
  }
}
