package dev.berth.policy.pod;

import dev.berth.model.resource.NameRules;

/** What kind of resource a name stands for. */
public final class ResourceNames {
  public static final String HUGE_PAGES = "hugepages-";

  private static final String REQUESTS = "requests.";

  /** What extended resources were called before they had domains of their own. */
  private static final String OPAQUE = "pod.alpha.kubernetes.io/opaque-int-resource-";

  private ResourceNames() {}

  /** Whether Kubernetes itself knows the resource: it has no domain, or Kubernetes' own. */
  public static boolean isNative(String name) {
    return name.indexOf('/') < 0 || (name.contains("kubernetes.io/") && !name.startsWith(OPAQUE));
  }

  /** Whether it is somebody's own resource, such as {@code example.com/gpu}. */
  public static boolean isExtended(String name) {
    return !isNative(name)
        && !name.startsWith(REQUESTS)
        && NameRules.qualifiedName(REQUESTS + name).isEmpty();
  }

  public static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES);
  }

  /** Whether a container may ask for it without a domain. */
  public static boolean isStandardForContainers(String name) {
    return name.equals("cpu")
        || name.equals("memory")
        || name.equals("ephemeral-storage")
        || isHugePages(name);
  }

  /** Whether a node may promise more of it than it has, so that limits may exceed requests. */
  public static boolean isOvercommitted(String name) {
    return isNative(name) && !isHugePages(name);
  }
}
