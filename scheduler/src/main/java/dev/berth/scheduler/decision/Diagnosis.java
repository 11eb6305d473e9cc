package dev.berth.scheduler.decision;

import dev.berth.scheduler.plugin.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Why a pod is unschedulable. What is always needed is counted when the decision is made; the
 * refusal of each node is found out only when asked for, on the cluster as it is then, by the
 * thread that owns it.
 */
public final class Diagnosis {
  private final int nodes;
  private final Map<String, Integer> counts;
  private final Set<String> plugins;
  private final int unresolvable;
  private final String ofPod;
  private final Supplier<List<NodeRefusal>> refusals;
  private final Supplier<int[]> preemptible;

  Diagnosis(
      int nodes,
      RefusalCounts counts,
      Supplier<List<NodeRefusal>> refusals,
      Supplier<int[]> preemptible) {
    this.nodes = nodes;
    this.counts = counts.counts();
    this.plugins = counts.plugins();
    this.unresolvable = counts.unresolvable();
    this.ofPod = counts.ofPod();
    this.refusals = refusals;
    this.preemptible = preemptible;
  }

  /** A diagnosis of which everything is known. */
  public Diagnosis(
      int nodes,
      Map<String, Integer> counts,
      Set<String> plugins,
      int unresolvable,
      List<NodeRefusal> refusals) {
    this.nodes = nodes;
    this.counts = counts;
    this.plugins = plugins;
    this.unresolvable = unresolvable;
    this.ofPod = "";
    this.refusals = () -> refusals;
    this.preemptible = () -> new int[0];
  }

  /** How many nodes there are. */
  public int nodes() {
    return nodes;
  }

  /** How many nodes gave each reason, by the reason's text. */
  public Map<String, Integer> counts() {
    return counts;
  }

  /** The plugins that refused a node. */
  public Set<String> plugins() {
    return plugins;
  }

  /** On how many nodes preemption cannot help. */
  public int unresolvable() {
    return unresolvable;
  }

  /** A reason that is about the pod, and so about every node; empty if there is none. */
  public String ofPod() {
    return ofPod;
  }

  /** The nodes that might be allowed if pods were taken off them, in ascending order. */
  public int[] nodesWherePreemptionMayHelp() {
    return preemptible.get();
  }

  /** The reason of each node, for whoever wants to know all. */
  public List<NodeRefusal> refusals() {
    return refusals.get();
  }

  /** Why a node, by its name, was refused. */
  public record NodeRefusal(String node, Refusal refusal) {}
}
