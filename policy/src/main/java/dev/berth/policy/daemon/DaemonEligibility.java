package dev.berth.policy.daemon;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.Toleration;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a node should run a DaemonSet's pod. The first of these that applies decides:
 *
 * <ol>
 *   <li>The template names another node: no.
 *   <li>The template's node selector or required node affinity does not match the node: no.
 *   <li>A NoExecute taint remains that the pod does not tolerate: no.
 *   <li>A NoSchedule taint remains: no new pod, but one that is there stays.
 *   <li>Otherwise: yes.
 * </ol>
 *
 * <p>Tolerations are the template's and the automatic ones; see {@link DaemonTolerations}.
 */
public sealed interface DaemonEligibility {

  /** A pod belongs here. */
  record Eligible() implements DaemonEligibility {}

  /** No pod is created here, but one that is here already stays. */
  record OnlyIfThere(Taint taint) implements DaemonEligibility {}

  /** The template is for another node. */
  record NamesAnotherNode(String nodeName) implements DaemonEligibility {}

  /** The template's node selector or node affinity does not match the node. */
  record NotSelected() implements DaemonEligibility {}

  /** The node evicts such pods. */
  record Evicted(Taint taint) implements DaemonEligibility {}

  /** Whether a pod is to be created if there is none. */
  default boolean shouldRun() {
    return this instanceof Eligible;
  }

  /** Whether a pod that is there may stay. */
  default boolean shouldContinueRunning() {
    return this instanceof Eligible || this instanceof OnlyIfThere;
  }

  /**
   * Judges a node.
   *
   * @param template the specification in the DaemonSet's template
   */
  static DaemonEligibility of(PodSpecView template, NodeView node, TolerationRules rules) {
    if (!template.nodeName().isEmpty() && !template.nodeName().equals(node.name())) {
      return new NamesAnotherNode(template.nodeName());
    }
    if (!NodeSelection.allows(template, node)) {
      return new NotSelected();
    }
    List<Toleration> tolerations = new ArrayList<>(template.tolerations());
    tolerations.addAll(DaemonTolerations.automatic(template.hostNetwork()));
    RemainingTaints remaining = RemainingTaints.of(node.taints(), tolerations, rules);
    Optional<Taint> evictor = remaining.evictor();
    if (evictor.isPresent()) {
      return new Evicted(evictor.get());
    }
    Optional<Taint> refusal = remaining.refusal();
    return refusal.isPresent() ? new OnlyIfThere(refusal.get()) : new Eligible();
  }
}
