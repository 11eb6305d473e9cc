package dev.berth.sim.explain;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.PodView;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How far a workload is from what it should be, and what holds it back. */
public final class WorkloadExplainer {
  private final ExplainedCluster cluster;

  public WorkloadExplainer(ExplainedCluster cluster) {
    this.cluster = cluster;
  }

  /** Explains a workload; empty if there is none of that kind and name. */
  public Optional<JsonObject> explain(WorkloadKind kind, ObjectName name) {
    return cluster.find(kind.resource(), name).map(tree -> explain(kind, name, tree));
  }

  private JsonObject explain(WorkloadKind kind, ObjectName name, JsonObject tree) {
    List<JsonObject> own = pods(tree);
    List<PodTree> pods =
        own.stream().map(PodTree::new).filter(pod -> !pod.phase().finished()).toList();
    List<String> notes = new ArrayList<>(conditions(tree));
    sets(tree).forEach(set -> notes.addAll(failures(set)));
    if (tree.object("spec").flag("paused", false)) {
      notes.add("It is paused: changes of its template are not rolled out.");
    }
    if (tree.object("spec").flag("suspend", false)) {
      notes.add("It is suspended: it runs no pods.");
    }
    for (PodTree pod : pods) {
      if (pod.isBound() && !pod.ready() && !pod.terminating()) {
        new ContainerNotes(pod.tree())
            .notes()
            .forEach(note -> notes.add("%s: %s".formatted(pod.name().name(), note)));
      }
    }
    return new JsonObject.Builder()
        .put("kind", "WorkloadExplanation")
        .put("workload", kind.kind() + "/" + name.name())
        .put("namespace", name.namespace())
        .put("asOf", cluster.now().toString())
        .put("wanted", kind.wanted(tree))
        .put("pods", (long) pods.size())
        .put("ready", pods.stream().filter(pod -> pod.ready() && !pod.terminating()).count())
        .put("pending", pods.stream().filter(WorkloadExplainer::isPending).count())
        .put("terminating", pods.stream().filter(PodTree::terminating).count())
        .put("notes", JsonArray.copyOf(notes.stream().distinct().toList()))
        .put("budgets", budgets(own))
        .put("waiting", waiting(pods))
        .build();
  }

  private static boolean isPending(PodTree pod) {
    return !pod.isBound() && !pod.terminating();
  }

  /** The pods of a workload, and of the sets that it has made. */
  private List<JsonObject> pods(JsonObject tree) {
    Set<String> owners = new HashSet<>();
    owners.add(Metadata.of(tree).uid());
    sets(tree).forEach(set -> owners.add(Metadata.of(set).uid()));
    return cluster.snapshot().list(ExplainedCluster.PODS).stream()
        .filter(pod ->
            Metadata.of(pod).controller().filter(owner -> owners.contains(owner.uid())).isPresent())
        .toList();
  }

  private List<JsonObject> sets(JsonObject tree) {
    String uid = Metadata.of(tree).uid();
    return cluster.snapshot().list(WorkloadKind.REPLICA_SET.resource()).stream()
        .filter(set -> Metadata.of(set).isControlledBy(uid))
        .toList();
  }

  /** Conditions that say that something is wrong; quotas speak through ReplicaFailure. */
  private static List<String> conditions(JsonObject tree) {
    List<String> notes = new ArrayList<>(failures(tree));
    JsonArray conditions = tree.object("status").array("conditions");
    for (String type : List.of("Progressing", "Available")) {
      Conditions.find(conditions, type)
          .filter(condition -> condition.text("status", "").equals(Conditions.FALSE))
          .ifPresent(condition -> notes.add(text(condition)));
    }
    for (String type : List.of("Failed", "FailureTarget")) {
      Conditions.find(conditions, type)
          .filter(condition -> condition.text("status", "").equals(Conditions.TRUE))
          .ifPresent(condition -> notes.add(text(condition)));
    }
    return notes;
  }

  private static List<String> failures(JsonObject tree) {
    return Conditions.find(tree.object("status").array("conditions"), "ReplicaFailure")
        .filter(condition -> condition.text("status", "").equals(Conditions.TRUE))
        .map(condition -> List.of("Pods cannot be created: " + condition.text("message", "")))
        .orElse(List.of());
  }

  private static String text(JsonObject condition) {
    return "%s is %s (%s): %s"
        .formatted(
            condition.text("type", ""),
            condition.text("status", ""),
            condition.text("reason", ""),
            condition.text("message", ""));
  }

  private JsonArray budgets(List<JsonObject> own) {
    List<PodView> pods = own.stream().map(PodView::read).toList();
    List<JsonObject> told = new ArrayList<>();
    for (JsonObject tree : cluster.snapshot().list("poddisruptionbudgets.policy")) {
      PodDisruptionBudgetView budget = PodDisruptionBudgetView.read(tree);
      if (pods.stream().anyMatch(budget::selects)) {
        told.add(
            new JsonObject.Builder()
                .put("name", budget.name())
                .put("healthy", budget.status().currentHealthy())
                .put("needed", budget.status().desiredHealthy())
                .put("disruptionsAllowed", budget.status().disruptionsAllowed())
                .build());
      }
    }
    return JsonArray.copyOf(told);
  }

  /** The pods that have no node, those that are alike together. */
  private JsonArray waiting(List<PodTree> pods) {
    Map<PodClass, List<PodTree>> alike = new LinkedHashMap<>();
    for (PodTree pod : pods) {
      if (isPending(pod)) {
        PodClass podClass = cluster.scheduler().cluster().read(pod.tree()).podClass();
        alike.computeIfAbsent(podClass, _ -> new ArrayList<>()).add(pod);
      }
    }
    List<JsonObject> told = new ArrayList<>();
    PodExplainer explainer = new PodExplainer(cluster);
    for (List<PodTree> group : alike.values()) {
      List<String> notes = new ArrayList<>();
      JsonObject scheduling = explainer.scheduling(group.getFirst().tree(), notes);
      told.add(
          new JsonObject.Builder()
              .put(
                  "pods",
                  JsonArray.copyOf(group.stream().map(pod -> pod.name().toString()).toList()))
              .put("notes", JsonArray.copyOf(notes))
              .put("scheduling", scheduling)
              .build());
    }
    return JsonArray.copyOf(told);
  }
}
