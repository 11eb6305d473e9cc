package dev.berth.model.meta;

/** Annotations that Kubernetes gives a meaning. */
public final class WellKnownAnnotations {

  // Clients
  public static final String LAST_APPLIED_CONFIGURATION =
      "kubectl.kubernetes.io/last-applied-configuration";
  public static final String RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";
  public static final String CHANGE_CAUSE = "kubernetes.io/change-cause";

  // Deployments and replica sets
  public static final String DEPLOYMENT_REVISION = "deployment.kubernetes.io/revision";
  public static final String DEPLOYMENT_REVISION_HISTORY =
      "deployment.kubernetes.io/revision-history";
  public static final String DEPLOYMENT_DESIRED_REPLICAS =
      "deployment.kubernetes.io/desired-replicas";
  public static final String DEPLOYMENT_MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";
  public static final String DEPRECATED_ROLLBACK_TO = "deprecated.deployment.rollback.revision";
  public static final String POD_DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  // Jobs
  public static final String JOB_COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  public static final String JOB_TRACKING = "batch.kubernetes.io/job-tracking";
  public static final String CRON_JOB_SCHEDULED_TIMESTAMP =
      "batch.kubernetes.io/cronjob-scheduled-timestamp";

  // Daemon sets
  public static final String DAEMON_SET_TEMPLATE_GENERATION =
      "deprecated.daemonset.template.generation";

  // Defaults of a namespace for its pods, as JSON lists of tolerations and as a node selector
  public static final String DEFAULT_TOLERATIONS =
      "scheduler.alpha.kubernetes.io/defaultTolerations";
  public static final String TOLERATIONS_WHITELIST =
      "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
  public static final String NAMESPACE_NODE_SELECTOR =
      "scheduler.alpha.kubernetes.io/node-selector";

  // Pods
  /** Where an agent has a pod from: {@code api} or {@code file}. */
  public static final String CONFIG_SOURCE = "kubernetes.io/config.source";

  /** Marks the mirror of a pod that an agent runs from a file. */
  public static final String CONFIG_MIRROR = "kubernetes.io/config.mirror";

  public static final String CONFIG_HASH = "kubernetes.io/config.hash";
  public static final String CONFIG_SEEN = "kubernetes.io/config.seen";
  public static final String LIMIT_RANGER = "kubernetes.io/limit-ranger";

  // Nodes
  public static final String NODE_TTL = "node.alpha.kubernetes.io/ttl";
  public static final String CONTROLLER_MANAGED_ATTACH_DETACH =
      "volumes.kubernetes.io/controller-managed-attach-detach";
  public static final String KEEP_TERMINATED_POD_VOLUMES =
      "volumes.kubernetes.io/keep-terminated-pod-volumes";
  public static final String NODE_ADDRESS_PROVIDED = "alpha.kubernetes.io/provided-node-ip";
  public static final String CSI_NODE_ID = "csi.volume.kubernetes.io/nodeid";

  // Volumes
  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
  public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  public static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  public static final String BETA_STORAGE_PROVISIONER =
      "volume.beta.kubernetes.io/storage-provisioner";
  public static final String BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";
  public static final String DEFAULT_STORAGE_CLASS = "storageclass.kubernetes.io/is-default-class";

  // Services and endpoints
  public static final String ENDPOINTS_LAST_CHANGE_TRIGGER_TIME =
      "endpoints.kubernetes.io/last-change-trigger-time";
  public static final String ENDPOINTS_OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
  public static final String TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";

  // Server
  public static final String LEADER_ELECTION = "control-plane.alpha.kubernetes.io/leader";
  public static final String RBAC_AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
  public static final String SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name";
  public static final String SERVICE_ACCOUNT_UID = "kubernetes.io/service-account.uid";

  private WellKnownAnnotations() {}
}
