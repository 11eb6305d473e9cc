package dev.berth.kinds.apps;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.pod.TemplateWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.NameRules;
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
            Column.number("Revision", "Which one it is.", Cells.number("revision")).typed("string"),
            Column.AGE)
        .rules(new ControllerRevisionRules())
        .build();
  }

  /** What all kinds that make pods have in common. */
  private static Resource.Builder workload(String kind, String shortName, WorkloadRules rules) {
    return Resource.namespaced(GROUP, V1, kind)
        .shortNames(shortName)
        .categories("all")
        .status()
        .countsGeneration()
        .rules(rules);
  }

  private static Resource daemonSets(TolerationRules tolerations) {
    return workload("DaemonSet", "ds", new DaemonSetRules(tolerations))
        .warnings(new DaemonSetWarnings())
        .columns(
            WorkloadColumns.withTemplateAndSelector(
                WorkloadColumns.DAEMON_DESIRED,
                WorkloadColumns.DAEMON_CURRENT,
                WorkloadColumns.DAEMON_READY,
                WorkloadColumns.DAEMON_UP_TO_DATE,
                WorkloadColumns.DAEMON_AVAILABLE,
                WorkloadColumns.NODE_SELECTOR))
        .build();
  }

  private static Resource deployments(TolerationRules tolerations) {
    return workload("Deployment", "deploy", new DeploymentRules(tolerations))
        .warnings(TemplateWarnings.ofWorkload(true))
        .scale()
        .columns(
            WorkloadColumns.withTemplateAndSelector(
                WorkloadColumns.READY_OF_REPLICAS,
                WorkloadColumns.UP_TO_DATE.typed("string"),
                WorkloadColumns.AVAILABLE.typed("string")))
        .build();
  }

  private static Resource replicaSets(TolerationRules tolerations) {
    return workload("ReplicaSet", "rs", new ReplicaSetRules(tolerations))
        .warnings(TemplateWarnings.ofWorkload(true))
        .scale()
        .columns(
            WorkloadColumns.withTemplateAndSelector(
                WorkloadColumns.DESIRED_REPLICAS,
                WorkloadColumns.CURRENT_REPLICAS,
                WorkloadColumns.READY_REPLICAS))
        .build();
  }

  private static Resource statefulSets(TolerationRules tolerations) {
    return workload("StatefulSet", "sts", new StatefulSetRules(tolerations))
        .warnings(new StatefulSetWarnings())
        .names(NameRules::dns1123Label)
        .scale()
        .columns(WorkloadColumns.withTemplate(WorkloadColumns.READY_OF_REPLICAS))
        .build();
  }
}
