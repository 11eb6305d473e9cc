package dev.berth.sim.explain;

import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.message.PodScheduled;
import dev.berth.scheduler.preemption.PreemptionDecision;
import dev.berth.scheduler.whatif.NodeRefusals;
import dev.berth.scheduler.whatif.Verdict;
import dev.berth.scheduler.whatif.WhatIfScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a pod is where it is, or is nowhere, and what would change that. */
public final class PodExplainer {
  private final ExplainedCluster cluster;
  private final WhatIfScheduler scheduler;

  public PodExplainer(ExplainedCluster cluster) {
    this.cluster = cluster;
    this.scheduler = cluster.scheduler();
  }

  /** Explains a pod; empty if there is none of that name. */
  public Optional<JsonObject> explain(ObjectName name) {
    return cluster.find(ExplainedCluster.PODS, name).map(this::explain);
  }

  private JsonObject explain(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    JsonObject.Builder told =
        new JsonObject.Builder()
            .put("kind", "PodExplanation")
            .put("pod", pod.name().toString())
            .put("phase", tree.object("status").text("phase", "Pending"))
            .put("asOf", cluster.now().toString());
    if (pod.isBound()) {
      told.put("node", pod.nodeName());
    }
    if (pod.terminating()) {
      told.put("deletion", new StayExplainer(cluster).deletion(pod));
    }
    List<String> notes = new ArrayList<>();
    if (pod.phase().finished()) {
      notes.add("It has ended, and takes no room on a node.");
    } else if (pod.isBound()) {
      told.put("stay", new StayExplainer(cluster).stay(pod));
      notes.addAll(new ContainerNotes(tree).notes());
    } else if (!pod.terminating()) {
      told.put("scheduling", scheduling(tree, notes));
    }
    return told.put("notes", JsonArray.copyOf(notes)).build();
  }

  /** What becomes of a pod that has no node; notes are added that are not about nodes. */
  JsonObject scheduling(JsonObject tree, List<String> notes) {
    notes.addAll(ClaimNotes.of(cluster, tree));
    noteLastAttempt(tree, notes);
    String schedulerName = tree.object("spec").text("schedulerName", "default-scheduler");
    JsonObject.Builder told = new JsonObject.Builder().put("scheduler", schedulerName);
    switch (scheduler.decide(tree)) {
      case Verdict.Placed(String node, int feasible) ->
          told.put("wouldGoTo", node).put("feasible", (long) feasible);
      case Verdict.Unschedulable unschedulable -> addRefusals(tree, unschedulable, told, notes);
      case Verdict.NotTried(Verdict.Why why) -> notTried(tree, why, told, notes);
    }
    return told.build();
  }

  private static void noteLastAttempt(JsonObject tree, List<String> notes) {
    Conditions.find(tree.object("status").array("conditions"), PodScheduled.TYPE)
        .filter(condition -> condition.text("status", "").equals(Conditions.FALSE))
        .ifPresent(condition ->
            notes.add(
                "The scheduler said, at %s: %s"
                    .formatted(
                        condition.text("lastTransitionTime", "an unknown time"),
                        condition.text("message", condition.text("reason", "")))));
    String nominated = tree.object("status").text("nominatedNodeName", "");
    if (!nominated.isEmpty()) {
      notes.add("It is nominated to %s: pods leave that node for it.".formatted(nominated));
    }
  }

  private void notTried(
      JsonObject tree, Verdict.Why why, JsonObject.Builder told, List<String> notes) {
    switch (why) {
      case GATED -> {
        List<String> gates =
            tree.object("spec").array("schedulingGates").objects().stream()
                .map(gate -> gate.text("name", ""))
                .toList();
        notes.add("Its scheduling gates hold it: %s.".formatted(String.join(", ", gates)));
        List<Suggestion> found =
            search(tree).tryOut(List.of(new Change.RemoveGates(gates))).stream().toList();
        told.put("suggestions", trees(found));
        if (found.isEmpty()) {
          JsonObject ungated = tree.update("spec", spec -> spec.without("schedulingGates"));
          if (scheduler.decide(ungated) instanceof Verdict.Unschedulable unschedulable) {
            notes.add("Without them it would be unschedulable, for these reasons:");
            addRefusals(ungated, unschedulable, told, notes);
          }
        }
      }
      case OTHER_SCHEDULER ->
          notes.add(
              "It waits for a scheduler that this configuration does not know: see --config.");
      case HELD -> notes.add("It waits for its claims on devices to be made.");
      case TERMINATING -> notes.add("It is being deleted.");
    }
  }

  private void addRefusals(
      JsonObject tree, Verdict.Unschedulable verdict, JsonObject.Builder told, List<String> notes) {
    List<NodeRefusals> refusals = scheduler.refusals(tree);
    PodInfo pod = scheduler.cluster().read(tree);
    NodeFixes fixes = new NodeFixes(scheduler.cluster(), pod, cluster.tolerations());
    told.put("message", verdict.message())
        .put("nodes", (long) refusals.size())
        .put("reasons", ReasonGroups.of(scheduler.cluster(), fixes, refusals));
    if (verdict.preemption() instanceof PreemptionDecision.Preempt preempt) {
      told.put("preempts", preemption(preempt));
    } else {
      priorityThatHelps(tree).ifPresent(notes::add);
    }
    told.put("suggestions", trees(search(tree).find(refusals))).put("byNode", byNode(refusals));
  }

  private SuggestionSearch search(JsonObject tree) {
    return new SuggestionSearch(scheduler, tree, cluster.tolerations());
  }

  /** Changes that would let a pod in that has no node; each was tried. */
  public List<Suggestion> suggestions(JsonObject tree) {
    return search(tree).find(scheduler.refusals(tree));
  }

  private static JsonArray trees(List<Suggestion> suggestions) {
    return JsonArray.copyOf(suggestions.stream().map(Suggestion::toTree).toList());
  }

  private static JsonObject preemption(PreemptionDecision.Preempt preempt) {
    return new JsonObject.Builder()
        .put("node", preempt.node())
        .put(
            "victims",
            JsonArray.copyOf(
                preempt.victims().stream().map(victim -> victim.name().toString()).toList()))
        .put("budgetViolations", (long) preempt.budgetViolations())
        .build();
  }

  /** The lowest priority at which it would preempt others, if there is one. */
  private Optional<String> priorityThatHelps(JsonObject tree) {
    JsonObject most =
        tree.update(
            "spec",
            spec -> spec.with("priority", (long) Integer.MAX_VALUE).without("preemptionPolicy"));
    if (!(scheduler.decide(most)
        instanceof Verdict.Unschedulable(var _, PreemptionDecision.Preempt preempt))) {
      return Optional.empty();
    }
    long needed = preempt.victims().stream().mapToLong(PodInfo::priority).max().orElse(0) + 1;
    return Optional.of(
        "With a priority of %d it could preempt %s on %s."
            .formatted(
                needed,
                preempt.victims().stream()
                    .map(victim -> victim.name().toString())
                    .collect(Collectors.joining(", ")),
                preempt.node()));
  }

  private static JsonArray byNode(List<NodeRefusals> refusals) {
    return JsonArray.copyOf(
        refusals.stream()
            .map(node ->
                new JsonObject.Builder()
                    .put("node", node.node())
                    .put(
                        "refusals",
                        JsonArray.copyOf(
                            node.refusals().stream()
                                .map(refusal ->
                                    new JsonObject.Builder()
                                        .put("plugin", refusal.plugin())
                                        .put("messages", JsonArray.copyOf(refusal.messages()))
                                        .build())
                                .toList()))
                    .build())
            .toList());
  }
}
