package dev.berth.scheduler.preemption;

import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.message.EventText;
import java.util.ArrayList;
import java.util.List;

/** What has to be done through the API once preemption has been decided, in this order. */
public sealed interface PreemptionAction {
  String DISRUPTION_TARGET = "DisruptionTarget";
  String BY_SCHEDULER = "PreemptionByScheduler";

  /** Clears a nomination: the {@code status.nominatedNodeName} of a pod. */
  record ClearNomination(PodInfo pod) implements PreemptionAction {}

  /** Nominates a pod to a node: sets its {@code status.nominatedNodeName}. */
  record Nominate(PodInfo pod, String node) implements PreemptionAction {}

  /**
   * Evicts a pod: sets the condition in its status, deletes it (with its uid as precondition; gone
   * is as good), and records the event about it. Not asked of pods that are leaving already.
   */
  record Evict(PodInfo victim, JsonObject condition, EventText event) implements PreemptionAction {}

  /**
   * The actions of a decision. While evictions are under way the pod should stay taken out of the
   * queue, or it would preempt again before its victims are seen to leave.
   */
  static List<PreemptionAction> of(PreemptionDecision decision, PodInfo pod) {
    return switch (decision) {
      case PreemptionDecision.Preempt preempt -> preempt(preempt, pod);
      case PreemptionDecision.NotEligible _ -> List.of();
      case PreemptionDecision.NoHelp _ ->
          pod.nominatedNode().isEmpty() ? List.of() : List.of(new ClearNomination(pod));
    };
  }

  private static List<PreemptionAction> preempt(PreemptionDecision.Preempt preempt, PodInfo pod) {
    List<PreemptionAction> actions = new ArrayList<>();
    actions.add(new Nominate(pod, preempt.node()));
    preempt.nominations().forEach(other -> actions.add(new ClearNomination(other)));
    JsonObject condition =
        Conditions.condition(
            DISRUPTION_TARGET,
            Conditions.TRUE,
            BY_SCHEDULER,
            pod.view().spec().schedulerName()
                + ": preempting to accommodate a higher priority pod");
    EventText event = EventText.preempted(pod.uid(), preempt.node());
    for (PodInfo victim : preempt.victims()) {
      if (!victim.view().terminating()) {
        actions.add(new Evict(victim, condition, event));
      }
    }
    return List.copyOf(actions);
  }
}
