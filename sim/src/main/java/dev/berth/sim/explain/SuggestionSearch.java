package dev.berth.sim.explain;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.whatif.NodeRefusals;
import dev.berth.scheduler.whatif.Trial;
import dev.berth.scheduler.whatif.WhatIfScheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The smallest changes that let a pod in. Candidates come from the refusals of each node, those of
 * nodes that are refused for like reasons together, cheapest first; and a new node like one that
 * there is. Each candidate is tried: only what makes the scheduler place the pod is suggested.
 */
final class SuggestionSearch {
  private static final int MOST_SUGGESTIONS = 6;

  /** So many nodes are tried for each kind of changes. */
  private static final int TRIED_NODES = 4;

  /** A new node costs more than a change of what is there. */
  private static final double NEW_NODE_COST = 3;

  private static final int TRIED_KINDS = 60;

  private final WhatIfScheduler scheduler;
  private final JsonObject pod;
  private final NodeFixes fixes;

  SuggestionSearch(WhatIfScheduler scheduler, JsonObject pod, TolerationRules rules) {
    this.scheduler = scheduler;
    this.pod = pod;
    PodInfo info = scheduler.cluster().read(pod);
    this.fixes = new NodeFixes(scheduler.cluster(), info, rules);
  }

  /** Fixes that belong together, of a node. */
  private record Candidate(Set<String> kinds, double cost, List<NodeFix> fixes) {
    static Candidate of(List<NodeFix> fixes) {
      Set<String> kinds = new TreeSet<>();
      fixes.forEach(fix -> kinds.add(fix.kind()));
      return new Candidate(kinds, fixes.stream().mapToDouble(NodeFix::cost).sum(), fixes);
    }
  }

  List<Suggestion> find(List<NodeRefusals> refusals) {
    List<Candidate> candidates = new ArrayList<>(byKind(refusals));
    NewNodes.of(scheduler.cluster(), pod).forEach(added -> candidates.addAll(with(added)));
    candidates.sort(
        Comparator.comparingInt((Candidate candidate) -> candidate.kinds().size())
            .thenComparingDouble(Candidate::cost));
    List<Suggestion> found = new ArrayList<>();
    List<Set<String>> known = new ArrayList<>();
    int tried = 0;
    for (Candidate candidate : candidates) {
      if (found.size() == MOST_SUGGESTIONS || tried == TRIED_KINDS * TRIED_NODES) {
        break;
      }
      if (known.stream().noneMatch(candidate.kinds()::containsAll)) {
        tried++;
        Optional<Suggestion> suggestion = tryOut(candidate);
        if (suggestion.isPresent()) {
          found.add(suggestion.get());
          known.add(candidate.kinds());
        }
      }
    }
    return found;
  }

  /** The cheapest candidates of each kind. */
  private List<Candidate> byKind(List<NodeRefusals> refusals) {
    Map<Set<String>, List<Candidate>> byKind = new HashMap<>();
    for (NodeRefusals node : refusals) {
      NodeInfo info = scheduler.cluster().find(node.node());
      if (info == null || node.refusals().isEmpty()) {
        continue;
      }
      for (NodeFixes.Side side : NodeFixes.Side.values()) {
        List<NodeFix> those = fixes.of(info, node.refusals(), side);
        if (!those.isEmpty()) {
          Candidate candidate = Candidate.of(those);
          byKind.computeIfAbsent(candidate.kinds(), _ -> new ArrayList<>()).add(candidate);
        }
      }
    }
    return byKind.values().stream()
        .flatMap(alike ->
            alike.stream().sorted(Comparator.comparingDouble(Candidate::cost)).limit(TRIED_NODES))
        .toList();
  }

  /** A new node, and what else is needed for the pod to go there. */
  private List<Candidate> with(Change.AddNode added) {
    List<Candidate> candidates = new ArrayList<>();
    try (Trial trial = scheduler.trial()) {
      trial.put(ExplainedCluster.NODES, added.node());
      String name = ObjectName.of(added.node()).name();
      NodeInfo info = scheduler.cluster().find(name);
      List<Refusal> refusals = scheduler.refusals(pod, name);
      for (NodeFixes.Side side : NodeFixes.Side.values()) {
        List<NodeFix> those = info == null ? List.of() : fixes.of(info, refusals, side);
        if (refusals.isEmpty() || !those.isEmpty()) {
          List<NodeFix> all = new ArrayList<>(List.of(NodeFix.of(added, NEW_NODE_COST)));
          all.addAll(those);
          candidates.add(Candidate.of(all));
        }
      }
    }
    return candidates;
  }

  private Optional<Suggestion> tryOut(Candidate candidate) {
    List<Change> changes = new ArrayList<>();
    for (NodeFix fix : candidate.fixes()) {
      Optional<Change> change = fix.change().get();
      if (change.isEmpty()) {
        return Optional.empty();
      }
      changes.add(change.get());
    }
    return tryOut(changes);
  }

  /** Where the pod would go after these changes; empty if nowhere. */
  Optional<Suggestion> tryOut(List<Change> changes) {
    try (Trial trial = scheduler.trial()) {
      InTrial target = new InTrial(trial);
      changes.forEach(change -> change.apply(target));
      return scheduler.nodeFor(target.changed).map(node -> new Suggestion(changes, node));
    }
  }

  private final class InTrial implements ChangeTarget {
    private final Trial trial;
    private JsonObject changed = pod;

    InTrial(Trial trial) {
      this.trial = trial;
    }

    @Override
    public void changePod(UnaryOperator<JsonObject> change) {
      changed = change.apply(changed);
    }

    @Override
    public void changeNode(String name, UnaryOperator<JsonObject> change) {
      Cluster cluster = scheduler.cluster();
      NodeInfo node = cluster.find(name);
      if (node != null) {
        trial.put(ExplainedCluster.NODES, change.apply(node.tree()));
      }
    }

    @Override
    public void addNode(JsonObject node) {
      trial.put(ExplainedCluster.NODES, node);
    }

    @Override
    public void removePod(ObjectName name) {
      trial.remove(
          ExplainedCluster.PODS,
          JsonObject.of(
              "metadata", JsonObject.of("namespace", name.namespace()).with("name", name.name())));
    }
  }
}
