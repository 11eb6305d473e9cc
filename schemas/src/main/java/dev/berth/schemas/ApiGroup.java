package dev.berth.schemas;

import java.util.List;
import java.util.Locale;

/**
 * A group of the API and what it is called in each world.
 *
 * @param name in objects: {@code rbac.authorization.k8s.io}
 * @param clients the prefix of the classes of its clients: {@code RbacAuthorization}
 * @param openApi the prefix of its types in OpenAPI: {@code io.k8s.api.rbac}
 */
record ApiGroup(String name, String clients, String openApi) {
  static final ApiGroup CORE = new ApiGroup("", "Core", "io.k8s.api.core");
  static final ApiGroup META = new ApiGroup("", "", "io.k8s.apimachinery.pkg.apis.meta");
  static final ApiGroup AUTOSCALING =
      new ApiGroup("autoscaling", "Autoscaling", "io.k8s.api.autoscaling");
  static final ApiGroup POLICY = new ApiGroup("policy", "Policy", "io.k8s.api.policy");
  static final ApiGroup AUTHENTICATION = k8s("authentication");

  /** Aggregated discovery, which no client asks for. */
  static final ApiGroup DISCOVERY_OF_GROUPS = k8s("apidiscovery");

  /** All groups but {@link #META}, which only has types for the others. */
  static final List<ApiGroup> ALL =
      List.of(
          CORE,
          AUTOSCALING,
          POLICY,
          AUTHENTICATION,
          DISCOVERY_OF_GROUPS,
          new ApiGroup("apps", "Apps", "io.k8s.api.apps"),
          new ApiGroup("batch", "Batch", "io.k8s.api.batch"),
          k8s("admissionregistration"),
          k8s("authorization"),
          k8s("certificates"),
          k8s("coordination"),
          k8s("discovery"),
          k8s("events"),
          k8s("networking"),
          k8s("node"),
          k8s("resource"),
          k8s("scheduling"),
          k8s("storage"),
          k8s("storagemigration"),
          new ApiGroup(
              "apiextensions.k8s.io",
              "Apiextensions",
              "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"),
          new ApiGroup(
              "apiregistration.k8s.io",
              "Apiregistration",
              "io.k8s.kube-aggregator.pkg.apis.apiregistration"),
          new ApiGroup(
              "flowcontrol.apiserver.k8s.io", "FlowcontrolApiserver", "io.k8s.api.flowcontrol"),
          new ApiGroup(
              "internal.apiserver.k8s.io", "InternalApiserver", "io.k8s.api.apiserverinternal"),
          new ApiGroup("rbac.authorization.k8s.io", "RbacAuthorization", "io.k8s.api.rbac"));

  private static ApiGroup k8s(String name) {
    String clients = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    return new ApiGroup(name + ".k8s.io", clients, "io.k8s.api." + name);
  }

  /** Whether classes whose name is taken in another group are prefixed with this for this group. */
  boolean hasClassPrefix(String prefix) {
    return openApi.endsWith("." + prefix.toLowerCase(Locale.ROOT));
  }
}
