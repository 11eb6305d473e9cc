package dev.berth.model.meta;

/** Labels that Kubernetes gives a meaning. Keys that end in a slash are prefixes. */
public final class WellKnownLabels {

  // Nodes
  public static final String HOSTNAME = "kubernetes.io/hostname";
  public static final String ZONE = "topology.kubernetes.io/zone";
  public static final String REGION = "topology.kubernetes.io/region";
  public static final String ARCH = "kubernetes.io/arch";
  public static final String OS = "kubernetes.io/os";
  public static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
  public static final String BETA_ARCH = "beta.kubernetes.io/arch";
  public static final String BETA_OS = "beta.kubernetes.io/os";
  public static final String BETA_INSTANCE_TYPE = "beta.kubernetes.io/instance-type";
  public static final String BETA_ZONE = "failure-domain.beta.kubernetes.io/zone";
  public static final String BETA_REGION = "failure-domain.beta.kubernetes.io/region";
  public static final String NODE_ROLE_PREFIX = "node-role.kubernetes.io/";
  public static final String NODE_ROLE = "kubernetes.io/role";
  public static final String CONTROL_PLANE_ROLE = "node-role.kubernetes.io/control-plane";

  /** A node may not set labels under this prefix on itself. */
  public static final String NODE_RESTRICTION_PREFIX = "node-restriction.kubernetes.io/";

  public static final String EXCLUDE_FROM_EXTERNAL_LOAD_BALANCERS =
      "node.kubernetes.io/exclude-from-external-load-balancers";

  // Namespaces
  public static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";
  public static final String POD_SECURITY_PREFIX = "pod-security.kubernetes.io/";

  // What controllers put on what they make
  public static final String POD_TEMPLATE_HASH = "pod-template-hash";
  public static final String CONTROLLER_REVISION_HASH = "controller-revision-hash";
  public static final String POD_TEMPLATE_GENERATION = "pod-template-generation";
  public static final String STATEFUL_SET_POD_NAME = "statefulset.kubernetes.io/pod-name";
  public static final String STATEFUL_SET_POD_INDEX = "apps.kubernetes.io/pod-index";
  public static final String JOB_NAME = "batch.kubernetes.io/job-name";
  public static final String JOB_CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
  public static final String JOB_COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  public static final String LEGACY_JOB_NAME = "job-name";
  public static final String LEGACY_CONTROLLER_UID = "controller-uid";
  public static final String SERVICE_NAME = "kubernetes.io/service-name";
  public static final String ENDPOINT_SLICE_MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  public static final String HEADLESS_SERVICE = "service.kubernetes.io/headless";
  public static final String SERVICE_PROXY_NAME = "service.kubernetes.io/service-proxy-name";
  public static final String ENDPOINT_SLICE_SKIP_MIRROR = "endpointslice.kubernetes.io/skip-mirror";

  // Server
  public static final String BOOTSTRAPPING = "kubernetes.io/bootstrapping";
  public static final String AGGREGATE_TO_ADMIN = "rbac.authorization.k8s.io/aggregate-to-admin";
  public static final String AGGREGATE_TO_EDIT = "rbac.authorization.k8s.io/aggregate-to-edit";
  public static final String AGGREGATE_TO_VIEW = "rbac.authorization.k8s.io/aggregate-to-view";

  private WellKnownLabels() {}
}
