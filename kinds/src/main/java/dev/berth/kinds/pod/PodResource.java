package dev.berth.kinds.pod;

import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.policy.taint.TolerationRules;

/** The declaration of pods. */
public final class PodResource {
  private static final String V1 = "v1";

  private PodResource() {}

  /**
   * The resource.
   *
   * @param tolerations what the tolerations of new pods may say
   */
  public static Resource of(TolerationRules tolerations) {
    return Resource.namespaced("", V1, "Pod")
        .shortNames("po")
        .categories("all")
        .status()
        .subresource(Subresource.BINDING, new GroupVersionKind("", V1, "Binding"), "create")
        .subresource("eviction", new GroupVersionKind("policy", V1, "Eviction"), "create")
        .subresource(PodRules.EPHEMERAL_CONTAINERS, "get", "patch", "update")
        .subresource(PodRules.RESIZE, "get", "patch", "update")
        .subresource("log", "get")
        .subresource("exec", new GroupVersionKind("", V1, "PodExecOptions"), "create", "get")
        .subresource("attach", new GroupVersionKind("", V1, "PodAttachOptions"), "create", "get")
        .subresource(
            "portforward", new GroupVersionKind("", V1, "PodPortForwardOptions"), "create", "get")
        .subresource(
            Subresource.PROXY,
            new GroupVersionKind("", V1, "PodProxyOptions"),
            Subresource.proxyVerbs())
        .countsGeneration()
        .showsDeleted()
        .selectable(
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName")
        .selectable(
            "spec.hostNetwork",
            pod -> Boolean.toString(pod.object("spec").flag("hostNetwork", false)))
        .columns(
            Column.NAME,
            PodColumns.READY,
            PodColumns.STATUS,
            PodColumns.RESTARTS,
            Column.AGE,
            PodColumns.IP,
            PodColumns.NODE,
            PodColumns.NOMINATED_NODE,
            PodColumns.READINESS_GATES)
        .rules(new PodRules(tolerations))
        .warnings(new PodWarnings())
        .build();
  }
}
