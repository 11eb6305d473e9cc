package dev.berth.kinds.core;

import dev.berth.kinds.apps.WorkloadColumns;
import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.events.EventResources;
import dev.berth.kinds.pod.PodResource;
import dev.berth.kinds.pod.PodTemplateRules;
import dev.berth.kinds.pod.TemplateWarnings;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;

/** The core group. */
public final class CoreResources {
  private static final String V1 = "v1";

  private CoreResources() {}

  /**
   * All resources of the group.
   *
   * @param tolerations what the tolerations of new pods may say
   */
  public static List<Resource> all(TolerationRules tolerations) {
    return List.of(
        Resource.namespaced("", V1, "Binding").notStored().build(),
        componentStatuses(),
        configMaps(),
        endpoints(),
        EventResources.core(),
        Resource.namespaced("", V1, "LimitRange")
            .createsOnUpdate()
            .shortNames("limits")
            .columns(Column.NAME, Column.CREATED)
            .namesUnnamed()
            .rules(new LimitRangeRules())
            .build(),
        namespaces(),
        nodes(),
        persistentVolumeClaims(),
        persistentVolumes(),
        PodResource.of(tolerations),
        podTemplates(tolerations),
        replicationControllers(tolerations),
        Resource.namespaced("", V1, "ResourceQuota")
            .shortNames("quota")
            .status()
            .rules(new QuotaRules())
            .warnings(new QuotaWarnings())
            .columns(Column.NAME, QuotaColumns.REQUEST, QuotaColumns.LIMIT, Column.AGE)
            .showsDeleted()
            .build(),
        secrets(),
        serviceAccounts(),
        services());
  }

  private static Resource componentStatuses() {
    return Resource.clusterWide("", V1, "ComponentStatus")
        .plural("componentstatuses")
        .shortNames("cs")
        .computed()
        .deprecated("v1 ComponentStatus is deprecated in v1.19+")
        .columns(
            Column.NAME,
            CoreColumns.COMPONENT_STATUS,
            CoreColumns.componentField("Message", "message"),
            CoreColumns.componentField("Error", "error"))
        .build();
  }

  private static Resource podTemplates(TolerationRules tolerations) {
    return Resource.namespaced("", V1, "PodTemplate")
        .countsGeneration()
        .columns(
            Column.NAME,
            Cells.containers("template.spec").always(),
            Cells.images("template.spec").always(),
            Column.text(
                "Pod Labels",
                "The labels of the template's pods.",
                object ->
                    Cells.labels(object.object("template").object("metadata").object("labels"))))
        .rules(new PodTemplateRules(tolerations))
        .warnings(new TemplateWarnings(FieldPath.of("template"), false))
        .build();
  }

  private static Resource configMaps() {
    return Resource.namespaced("", V1, "ConfigMap")
        .shortNames("cm")
        .columns(Column.NAME, CoreColumns.DATA, Column.AGE)
        .rules(DataRules.configMaps())
        .build();
  }

  private static Resource secrets() {
    return Resource.namespaced("", V1, "Secret")
        .selectable("type")
        .columns(Column.NAME, CoreColumns.SECRET_TYPE, CoreColumns.DATA, Column.AGE)
        .rules(DataRules.secrets())
        .warnings(ObjectWarnings.whenWritten(SecretWarnings::of))
        .build();
  }

  private static Resource namespaces() {
    return Resource.clusterWide("", V1, "Namespace")
        .shortNames("ns")
        .names(NameRules::dns1123Label)
        .status()
        .subresource(NamespaceRules.FINALIZE, "update")
        .selectable("status.phase")
        .columns(Column.NAME, CoreColumns.PHASE, Column.AGE)
        .rules(new NamespaceRules())
        .build();
  }

  private static Resource nodes() {
    return Resource.clusterWide("", V1, "Node")
        .shortNames("no")
        .status()
        .subresource(
            Subresource.PROXY,
            new GroupVersionKind("", V1, "NodeProxyOptions"),
            Subresource.proxyVerbs())
        .keepsStatusOnCreate()
        .selectable(
            "spec.unschedulable",
            node -> Boolean.toString(node.object("spec").flag("unschedulable", false)))
        .columns(
            Column.NAME,
            NodeColumns.STATUS,
            NodeColumns.ROLES,
            Column.AGE,
            NodeColumns.VERSION,
            NodeColumns.INTERNAL_IP,
            NodeColumns.EXTERNAL_IP,
            NodeColumns.OS_IMAGE,
            NodeColumns.KERNEL,
            NodeColumns.RUNTIME)
        .rules(new NodeRules())
        .warnings(ObjectWarnings.whenWritten(NodeWarnings::of))
        .build();
  }

  private static Resource serviceAccounts() {
    return Resource.namespaced("", V1, "ServiceAccount")
        .shortNames("sa")
        .showsDeleted()
        .subresource(
            "token", new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"), "create")
        .rules(new ServiceAccountRules())
        .warnings(new ServiceAccountWarnings())
        .columns(Column.NAME, Column.AGE)
        .build();
  }

  private static Resource services() {
    return Resource.namespaced("", V1, "Service")
        .shortNames("svc")
        .categories("all")
        .names(NameRules::dns1123Label)
        .status()
        .subresource(
            Subresource.PROXY,
            new GroupVersionKind("", V1, "ServiceProxyOptions"),
            Subresource.proxyVerbs())
        .createsOnUpdate()
        .selectable("spec.clusterIP", "spec.type")
        .columns(
            Column.NAME,
            CoreColumns.SERVICE_TYPE,
            CoreColumns.CLUSTER_IP,
            CoreColumns.SERVICE_EXTERNAL_IP,
            CoreColumns.PORTS,
            Column.AGE,
            CoreColumns.SERVICE_SELECTOR)
        .rules(new ServiceRules())
        .warnings(new ServiceWarnings())
        .build();
  }

  private static Resource endpoints() {
    return Resource.namespaced("", V1, "Endpoints")
        .plural("endpoints")
        .shortNames("ep")
        .createsOnUpdate()
        .rules(new EndpointsRules())
        .warnings(ObjectWarnings.whenWritten(EndpointsWarnings::of))
        .deprecated("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
        .columns(Column.NAME, CoreColumns.ENDPOINTS, Column.AGE)
        .build();
  }

  private static Resource persistentVolumes() {
    return Resource.clusterWide("", V1, "PersistentVolume")
        .shortNames("pv")
        .status()
        .columns(
            Column.NAME,
            VolumeColumns.CAPACITY,
            VolumeColumns.ACCESS_MODES,
            VolumeColumns.RECLAIM_POLICY,
            VolumeColumns.STATUS,
            VolumeColumns.CLAIM,
            VolumeColumns.STORAGE_CLASS,
            VolumeColumns.ATTRIBUTES_CLASS,
            VolumeColumns.REASON,
            Column.AGE,
            VolumeColumns.VOLUME_MODE)
        .rules(new PersistentVolumeRules())
        .warnings(ObjectWarnings.whenWritten(PersistentVolumeWarnings::of))
        .build();
  }

  private static Resource persistentVolumeClaims() {
    return Resource.namespaced("", V1, "PersistentVolumeClaim")
        .shortNames("pvc")
        .status()
        .columns(
            Column.NAME,
            VolumeColumns.STATUS,
            VolumeColumns.VOLUME,
            VolumeColumns.CLAIM_CAPACITY,
            VolumeColumns.CLAIM_ACCESS_MODES,
            VolumeColumns.STORAGE_CLASS,
            VolumeColumns.ATTRIBUTES_CLASS,
            Column.AGE,
            VolumeColumns.VOLUME_MODE)
        .rules(new VolumeClaimRules())
        .warnings(ObjectWarnings.whenWritten(VolumeClaimWarnings::of))
        .build();
  }

  private static Resource replicationControllers(TolerationRules tolerations) {
    return Resource.namespaced("", V1, "ReplicationController")
        .shortNames("rc")
        .categories("all")
        .status()
        .scale()
        .countsGeneration()
        .orphansByDefault()
        .rules(new ReplicationControllerRules(tolerations))
        .warnings(TemplateWarnings.ofWorkload(true))
        .selectable("status.replicas", rc -> Cells.number("status.replicas").apply(rc).toString())
        .columns(
            WorkloadColumns.withTemplateAndLabels(
                WorkloadColumns.DESIRED_REPLICAS,
                WorkloadColumns.CURRENT_REPLICAS,
                WorkloadColumns.READY_REPLICAS))
        .build();
  }
}
