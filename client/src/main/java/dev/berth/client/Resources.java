package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;

/** The resources that components use most. */
public final class Resources {
  public static final GroupVersionResource PODS = core("pods");
  public static final GroupVersionResource NODES = core("nodes");
  public static final GroupVersionResource NAMESPACES = core("namespaces");
  public static final GroupVersionResource SERVICES = core("services");
  public static final GroupVersionResource REPLICATION_CONTROLLERS = core("replicationcontrollers");
  public static final GroupVersionResource CONFIG_MAPS = core("configmaps");
  public static final GroupVersionResource SECRETS = core("secrets");
  public static final GroupVersionResource RESOURCE_QUOTAS = core("resourcequotas");
  public static final GroupVersionResource SERVICE_ACCOUNTS = core("serviceaccounts");
  public static final GroupVersionResource PERSISTENT_VOLUMES = core("persistentvolumes");
  public static final GroupVersionResource PERSISTENT_VOLUME_CLAIMS =
      core("persistentvolumeclaims");
  public static final GroupVersionResource CORE_EVENTS = core("events");
  public static final GroupVersionResource EVENTS =
      new GroupVersionResource("events.k8s.io", "v1", "events");
  public static final GroupVersionResource ENDPOINTS = core("endpoints");
  public static final GroupVersionResource ENDPOINT_SLICES =
      new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices");
  public static final GroupVersionResource SERVICE_CIDRS =
      new GroupVersionResource("networking.k8s.io", "v1", "servicecidrs");
  public static final GroupVersionResource IP_ADDRESSES =
      new GroupVersionResource("networking.k8s.io", "v1", "ipaddresses");
  public static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");
  public static final GroupVersionResource PRIORITY_CLASSES =
      new GroupVersionResource("scheduling.k8s.io", "v1", "priorityclasses");
  public static final GroupVersionResource POD_DISRUPTION_BUDGETS =
      new GroupVersionResource("policy", "v1", "poddisruptionbudgets");
  public static final GroupVersionResource HORIZONTAL_POD_AUTOSCALERS =
      new GroupVersionResource("autoscaling", "v2", "horizontalpodautoscalers");
  public static final GroupVersionResource DAEMON_SETS = apps("daemonsets");
  public static final GroupVersionResource DEPLOYMENTS = apps("deployments");
  public static final GroupVersionResource REPLICA_SETS = apps("replicasets");
  public static final GroupVersionResource STATEFUL_SETS = apps("statefulsets");
  public static final GroupVersionResource CONTROLLER_REVISIONS = apps("controllerrevisions");
  public static final GroupVersionResource JOBS = batch("jobs");
  public static final GroupVersionResource CRON_JOBS = batch("cronjobs");
  public static final GroupVersionResource STORAGE_CLASSES = storage("storageclasses");
  public static final GroupVersionResource CSI_NODES = storage("csinodes");
  public static final GroupVersionResource CSI_DRIVERS = storage("csidrivers");
  public static final GroupVersionResource CSI_STORAGE_CAPACITIES = storage("csistoragecapacities");
  public static final GroupVersionResource VOLUME_ATTACHMENTS = storage("volumeattachments");
  public static final GroupVersionResource VOLUME_ATTRIBUTES_CLASSES =
      storage("volumeattributesclasses");
  public static final GroupVersionResource CERTIFICATE_SIGNING_REQUESTS =
      new GroupVersionResource("certificates.k8s.io", "v1", "certificatesigningrequests");
  public static final GroupVersionResource SUBJECT_ACCESS_REVIEWS =
      new GroupVersionResource("authorization.k8s.io", "v1", "subjectaccessreviews");

  public static final GroupVersionResource RESOURCE_CLAIMS = devices("resourceclaims");
  public static final GroupVersionResource RESOURCE_CLAIM_TEMPLATES =
      devices("resourceclaimtemplates");
  public static final GroupVersionResource RESOURCE_SLICES = devices("resourceslices");
  public static final GroupVersionResource DEVICE_CLASSES = devices("deviceclasses");

  private Resources() {}

  private static GroupVersionResource core(String plural) {
    return new GroupVersionResource("", "v1", plural);
  }

  private static GroupVersionResource apps(String plural) {
    return new GroupVersionResource("apps", "v1", plural);
  }

  private static GroupVersionResource batch(String plural) {
    return new GroupVersionResource("batch", "v1", plural);
  }

  private static GroupVersionResource storage(String plural) {
    return new GroupVersionResource("storage.k8s.io", "v1", plural);
  }

  private static GroupVersionResource devices(String plural) {
    return new GroupVersionResource("resource.k8s.io", "v1", plural);
  }
}
