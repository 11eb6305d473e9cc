package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.NodeView;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.snapshot.SnapshotCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether there is what a timeline and expectations name, before anything is played: nodes, zones
 * and groups, unless a manifest brings further nodes; and workloads, unless a CronJob makes further
 * ones.
 */
final class ScenarioReferences {
  private static final int MOST_NAMED = 10;

  /**
   * What in a snapshot has pods, or makes what has; the pods themselves are for those of nobody.
   */
  private static final List<String> WORKLOADS =
      List.of(
          "deployments.apps",
          "statefulsets.apps",
          "daemonsets.apps",
          "replicasets.apps",
          "jobs.batch",
          "cronjobs.batch",
          "replicationcontrollers",
          "pods");

  private final Scenario scenario;
  private final List<JsonObject> objects;

  private ScenarioReferences(Scenario scenario) {
    this.scenario = scenario;
    objects =
        Stream.of(
                scenario.objects().stream(),
                scenario.workloads().stream().flatMap(workload -> workload.objects().stream()),
                scenario.timeline().stream().flatMap(entry -> applied(entry.action())),
                WORKLOADS.stream().flatMap(resource -> seen(resource).stream()))
            .flatMap(each -> each)
            .toList();
  }

  /** What there is in the snapshot. */
  private List<JsonObject> seen(String resource) {
    return scenario
        .snapshot()
        .map(SnapshotCluster::beginning)
        .map(beginning -> beginning.objects().getOrDefault(resource, List.of()))
        .orElse(List.of());
  }

  private static Stream<JsonObject> applied(ScenarioAction action) {
    return action instanceof ScenarioAction.Apply(List<JsonObject> applied)
        ? applied.stream()
        : Stream.empty();
  }

  /**
   * Notes what is named and is not there.
   *
   * @param timeline the entries that the scenario's timeline was read from
   * @param expect those of its expectations
   */
  static void check(Scenario scenario, List<ConfigFields> timeline, List<ConfigFields> expect) {
    ScenarioReferences references = new ScenarioReferences(scenario);
    if (!references.brings("Node")) {
      references.checkNodes(timeline);
    }
    if (!references.brings("CronJob")) {
      references.checkWorkloads(timeline, expect);
    }
  }

  private boolean brings(String kind) {
    return objects.stream().anyMatch(object -> kind.equals(object.get("kind")));
  }

  private void checkNodes(List<ConfigFields> timeline) {
    List<NodeView> nodes = new ArrayList<>();
    scenario.nodes().stream()
        .flatMap(NodeGroup::machines)
        .map(machine ->
            JsonObject.of(
                "metadata", JsonObject.of("name", machine.name()).with("labels", machine.labels())))
        .map(NodeView::read)
        .forEach(nodes::add);
    seen("nodes").stream().map(NodeView::read).forEach(nodes::add);
    for (int i = 0; i < timeline.size(); i++) {
      Optional<NodeChoice> choice = choice(scenario.timeline().get(i).action());
      Optional<String> unknown = choice.flatMap(chosen -> chosen.unknown(nodes));
      if (choice.isPresent() && unknown.isPresent()) {
        wrong(timeline.get(i), choice.get().words(), unknown.get());
      }
    }
  }

  private static Optional<NodeChoice> choice(ScenarioAction action) {
    return switch (action) {
      case ScenarioAction.Silence silence -> Optional.of(silence.nodes());
      case ScenarioAction.Kill kill -> Optional.of(kill.nodes());
      case ScenarioAction.Restore restore -> Optional.of(restore.nodes());
      case ScenarioAction.Flap flap -> Optional.of(flap.nodes());
      case ScenarioAction.Pressure pressure -> Optional.of(pressure.nodes());
      case ScenarioAction.AddTaint taint -> Optional.of(taint.nodes());
      case ScenarioAction.RemoveTaint taint -> Optional.of(taint.nodes());
      case ScenarioAction.Cordon cordon -> Optional.of(cordon.nodes());
      case ScenarioAction.Drain drain -> Optional.of(drain.nodes());
      case ScenarioAction.Apply _,
          ScenarioAction.Scale _,
          ScenarioAction.Restart _,
          ScenarioAction.Partition _,
          ScenarioAction.Heal _ ->
          Optional.empty();
    };
  }

  private void checkWorkloads(List<ConfigFields> timeline, List<ConfigFields> expect) {
    for (int i = 0; i < timeline.size(); i++) {
      if (scenario.timeline().get(i).action() instanceof ScenarioAction.Scale scale) {
        check(timeline.get(i), scale.workload());
        checkScalable(timeline.get(i), scale);
      }
    }
    for (ConfigFields each : expect) {
      String name = each.text("workload", "");
      if (!name.isEmpty()) {
        check(each, ActionReader.workload(name));
      }
    }
  }

  private void check(ConfigFields where, ObjectName workload) {
    List<String> names =
        objects.stream()
            .map(object -> ObjectName.of(object).name())
            .distinct()
            .limit(MOST_NAMED)
            .toList();
    boolean isThere =
        objects.stream().anyMatch(object -> ObjectName.of(object).name().equals(workload.name()));
    if (!isThere) {
      wrong(
          where,
          workload.name(),
          names.isEmpty()
              ? "there are no workloads"
              : "there is no such workload, but " + String.join(", ", names));
    }
  }

  /** Daemon sets have as many pods as nodes, jobs as many as they need. */
  private void checkScalable(ConfigFields where, ScenarioAction.Scale scale) {
    List<String> kinds =
        objects.stream()
            .filter(object -> ObjectName.of(object).name().equals(scale.workload().name()))
            .map(object -> object.text("kind", ""))
            .filter(kind -> scale.kind().isEmpty() || scale.kind().equals(kind))
            .toList();
    boolean hasNone = kinds.stream().noneMatch(ScenarioAction.Scale.KINDS::contains);
    if (hasNone && kinds.stream().anyMatch(List.of("DaemonSet", "Job")::contains)) {
      wrong(
          where,
          scale.workload().name(),
          "is no " + String.join(", ", ScenarioAction.Scale.KINDS) + ", which can be scaled");
    }
  }

  private static void wrong(ConfigFields where, String value, String why) {
    where.error(FieldError.invalid(where.path(), value, why));
  }
}
