package dev.berth.kinds.apps;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;
import java.util.Locale;

/** The group apps. */
public final class AppsResources {
  private static final String GROUP = "apps";
  private static final String V1 = "v1";

  private AppsResources() {}

  /**
   * All resources of the group.
   *
   * @param tolerations what the tolerations of new templates may say
   */
  public static List<Resource> all(TolerationRules tolerations) {
    return List.of(
        controllerRevisions(),
        daemonSets(tolerations),
        deployments(tolerations),
        replicaSets(tolerations),
        statefulSets(tolerations));
  }

  private static Resource controllerRevisions() {
    return Resource.namespaced(GROUP, V1, "ControllerRevision")
        .columns(
            Column.NAME,
            Column.text(
                "Controller",
                "Whose template it is.",
                revision ->
                    revision.object("metadata").array("ownerReferences").objects().stream()
                        .filter(owner -> owner.flag("controller", false))
                        .map(owner ->
                            owner.text("kind", "").toLowerCase(Locale.ROOT)
                                + "."
                                + owner.text("apiVersion", "").replaceFirst("/.*", "")
                                + "/"
                                + owner.text("name", ""))
                        .findFirst()
                        .orElse(Cells.NONE)),
            Column.number("Revision", "Which one it is.", Cells.number("revision")),
            Column.AGE)
        .build();
  }

  private static Resource daemonSets(TolerationRules tolerations) {
    return Resource.namespaced(GROUP, V1, "DaemonSet")
        .shortNames("ds")
        .categories("all")
        .status()
        .countsGeneration()
        .rules(new WorkloadRules("daemonset", AppsResources::daemonSetDefaults, tolerations))
        .columns(
            Column.NAME,
            WorkloadColumns.DAEMON_DESIRED,
            WorkloadColumns.DAEMON_CURRENT,
            WorkloadColumns.DAEMON_READY,
            WorkloadColumns.DAEMON_UP_TO_DATE,
            WorkloadColumns.DAEMON_AVAILABLE,
            WorkloadColumns.NODE_SELECTOR,
            Column.AGE,
            Cells.containers(WorkloadColumns.POD_TEMPLATE),
            Cells.images(WorkloadColumns.POD_TEMPLATE),
            Cells.selector())
        .build();
  }

  private static JsonObject daemonSetDefaults(JsonObject spec) {
    JsonObject filled = FieldRules.orDefault(spec, "revisionHistoryLimit", 10L);
    return FieldRules.within(
        filled,
        "updateStrategy",
        strategy -> {
          JsonObject typed = FieldRules.orDefault(strategy, "type", "RollingUpdate");
          return typed.text("type", "").equals("RollingUpdate")
              ? FieldRules.within(
                  typed,
                  "rollingUpdate",
                  r ->
                      FieldRules.orDefault(
                          FieldRules.orDefault(r, "maxUnavailable", 1L), "maxSurge", 0L))
              : typed;
        });
  }

  private static Resource deployments(TolerationRules tolerations) {
    return Resource.namespaced(GROUP, V1, "Deployment")
        .shortNames("deploy")
        .categories("all")
        .status()
        .scale()
        .countsGeneration()
        .rules(new WorkloadRules("deployment", AppsResources::deploymentDefaults, tolerations))
        .columns(
            Column.NAME,
            WorkloadColumns.READY_OF_REPLICAS,
            WorkloadColumns.UP_TO_DATE,
            WorkloadColumns.AVAILABLE,
            Column.AGE,
            Cells.containers(WorkloadColumns.POD_TEMPLATE),
            Cells.images(WorkloadColumns.POD_TEMPLATE),
            Cells.selector())
        .build();
  }

  private static JsonObject deploymentDefaults(JsonObject spec) {
    JsonObject filled = FieldRules.orDefault(spec, "replicas", 1L);
    filled = FieldRules.orDefault(filled, "revisionHistoryLimit", 10L);
    filled = FieldRules.orDefault(filled, "progressDeadlineSeconds", 600L);
    return FieldRules.within(
        filled,
        "strategy",
        strategy -> {
          JsonObject typed = FieldRules.orDefault(strategy, "type", "RollingUpdate");
          return typed.text("type", "").equals("RollingUpdate")
              ? FieldRules.within(
                  typed,
                  "rollingUpdate",
                  r ->
                      FieldRules.orDefault(
                          FieldRules.orDefault(r, "maxUnavailable", "25%"), "maxSurge", "25%"))
              : typed;
        });
  }

  private static Resource replicaSets(TolerationRules tolerations) {
    return Resource.namespaced(GROUP, V1, "ReplicaSet")
        .shortNames("rs")
        .categories("all")
        .status()
        .scale()
        .countsGeneration()
        .selectable("status.replicas", rs -> Cells.number("status.replicas").apply(rs).toString())
        .rules(
            new WorkloadRules(
                "replicaset", spec -> FieldRules.orDefault(spec, "replicas", 1L), tolerations))
        .columns(
            Column.NAME,
            WorkloadColumns.DESIRED_REPLICAS,
            WorkloadColumns.CURRENT_REPLICAS,
            WorkloadColumns.READY_REPLICAS,
            Column.AGE,
            Cells.containers(WorkloadColumns.POD_TEMPLATE),
            Cells.images(WorkloadColumns.POD_TEMPLATE),
            Cells.selector())
        .build();
  }

  private static Resource statefulSets(TolerationRules tolerations) {
    return Resource.namespaced(GROUP, V1, "StatefulSet")
        .shortNames("sts")
        .categories("all")
        .status()
        .scale()
        .countsGeneration()
        .rules(new StatefulSetRules(tolerations))
        .columns(
            Column.NAME,
            WorkloadColumns.READY_OF_REPLICAS,
            Column.AGE,
            Cells.containers(WorkloadColumns.POD_TEMPLATE),
            Cells.images(WorkloadColumns.POD_TEMPLATE))
        .build();
  }
}
