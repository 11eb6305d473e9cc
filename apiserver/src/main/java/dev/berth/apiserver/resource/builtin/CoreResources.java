package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.table.Cells;
import dev.berth.apiserver.table.Column;
import dev.berth.apiserver.table.CoreColumns;
import dev.berth.apiserver.table.NodeColumns;
import dev.berth.apiserver.table.PodColumns;
import dev.berth.apiserver.table.QuotaColumns;
import dev.berth.apiserver.table.StorageColumns;
import dev.berth.apiserver.table.WorkloadColumns;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.resource.NameRules;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;

/** The core group. */
final class CoreResources {
  private static final String V1 = "v1";

  private static final String[] PROXIED = {"create", "delete", "get", "patch", "update"};

  private CoreResources() {}

  /**
   * @param tolerations what the tolerations of new pods may say
   */
  static List<Resource> all(TolerationRules tolerations) {
    return List.of(
        configMaps(),
        endpoints(),
        EventResources.core(),
        Resource.namespaced("", V1, "LimitRange")
            .shortNames("limits")
            .rules(new LimitRangeRules())
            .build(),
        namespaces(),
        nodes(),
        persistentVolumeClaims(),
        persistentVolumes(),
        pods(tolerations),
        Resource.namespaced("", V1, "PodTemplate").countsGeneration().showsDeleted().build(),
        replicationControllers(),
        Resource.namespaced("", V1, "ResourceQuota")
            .shortNames("quota")
            .status()
            .rules(new QuotaRules())
            .columns(Column.NAME, QuotaColumns.REQUEST, QuotaColumns.LIMIT, Column.AGE)
            .showsDeleted()
            .build(),
        secrets(),
        serviceAccounts(),
        services());
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
        .subresource("proxy", new GroupVersionKind("", V1, "NodeProxyOptions"), PROXIED)
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
        .build();
  }

  private static Resource pods(TolerationRules tolerations) {
    return Resource.namespaced("", V1, "Pod")
        .shortNames("po")
        .categories("all")
        .status()
        .subresource(PodRules.BINDING, new GroupVersionKind("", V1, "Binding"), "create")
        .subresource("eviction", new GroupVersionKind("policy", V1, "Eviction"), "create")
        .subresource(PodRules.EPHEMERAL_CONTAINERS, "get", "patch", "update")
        .subresource(PodRules.RESIZE, "get", "patch", "update")
        .subresource("log", "get")
        .subresource("exec", new GroupVersionKind("", V1, "PodExecOptions"), "create", "get")
        .subresource("attach", new GroupVersionKind("", V1, "PodAttachOptions"), "create", "get")
        .subresource(
            "portforward", new GroupVersionKind("", V1, "PodPortForwardOptions"), "create", "get")
        .subresource("proxy", new GroupVersionKind("", V1, "PodProxyOptions"), PROXIED)
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
        .build();
  }

  private static Resource serviceAccounts() {
    return Resource.namespaced("", V1, "ServiceAccount")
        .shortNames("sa")
        .showsDeleted()
        .subresource(
            "token", new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"), "create")
        .columns(Column.NAME, CoreColumns.SECRETS, Column.AGE)
        .build();
  }

  private static Resource services() {
    return Resource.namespaced("", V1, "Service")
        .shortNames("svc")
        .categories("all")
        .names(NameRules::dns1035Label)
        .status()
        .subresource("proxy", new GroupVersionKind("", V1, "ServiceProxyOptions"), PROXIED)
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
        .build();
  }

  private static Resource endpoints() {
    return Resource.namespaced("", V1, "Endpoints")
        .plural("endpoints")
        .shortNames("ep")
        .createsOnUpdate()
        .columns(Column.NAME, CoreColumns.ENDPOINTS, Column.AGE)
        .build();
  }

  private static Resource persistentVolumes() {
    return Resource.clusterWide("", V1, "PersistentVolume")
        .shortNames("pv")
        .status()
        .columns(
            Column.NAME,
            StorageColumns.CAPACITY,
            StorageColumns.ACCESS_MODES,
            StorageColumns.RECLAIM_POLICY,
            StorageColumns.STATUS,
            StorageColumns.CLAIM,
            StorageColumns.STORAGE_CLASS,
            StorageColumns.ATTRIBUTES_CLASS,
            StorageColumns.REASON,
            Column.AGE,
            StorageColumns.VOLUME_MODE)
        .rules(VolumeRules.volumes())
        .build();
  }

  private static Resource persistentVolumeClaims() {
    return Resource.namespaced("", V1, "PersistentVolumeClaim")
        .shortNames("pvc")
        .status()
        .columns(
            Column.NAME,
            StorageColumns.STATUS,
            StorageColumns.VOLUME,
            StorageColumns.CLAIM_CAPACITY,
            StorageColumns.CLAIM_ACCESS_MODES,
            StorageColumns.STORAGE_CLASS,
            StorageColumns.ATTRIBUTES_CLASS,
            Column.AGE,
            StorageColumns.VOLUME_MODE)
        .rules(VolumeRules.claims())
        .build();
  }

  private static Resource replicationControllers() {
    return Resource.namespaced("", V1, "ReplicationController")
        .shortNames("rc")
        .categories("all")
        .status()
        .scale()
        .countsGeneration()
        .orphansByDefault()
        .selectable("status.replicas", rc -> Cells.number("status.replicas").apply(rc).toString())
        .columns(
            Column.NAME,
            WorkloadColumns.DESIRED_REPLICAS,
            WorkloadColumns.CURRENT_REPLICAS,
            WorkloadColumns.READY_REPLICAS,
            Column.AGE,
            Cells.containers(WorkloadColumns.POD),
            Cells.images(WorkloadColumns.POD))
        .build();
  }
}
