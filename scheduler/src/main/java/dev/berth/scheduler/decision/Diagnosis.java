package dev.berth.scheduler.decision;

import dev.berth.scheduler.plugin.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Why a pod can go nowhere.
 *
 * @param nodes how many nodes there are
 * @param counts how many nodes gave each reason, by the reason's text
 * @param plugins the plugins that refused a node; what wakes them may wake the pod
 * @param unresolvable nodes that preempting pods on them would not open
 * @param refusals the reason of each node, by its name, for whoever wants to know all; computed
 *     when asked for
 */
public record Diagnosis(
    int nodes,
    Map<String, Integer> counts,
    Set<String> plugins,
    int unresolvable,
    List<NodeRefusal> refusals) {

  public record NodeRefusal(String node, Refusal refusal) {}
}
