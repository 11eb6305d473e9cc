package dev.berth.agent.podspec;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A pod's name and domain as its processes see them.
 *
 * @param domain empty if it has none
 */
record PodHostname(String name, String domain, boolean isQualified) {
  private static final int LONGEST = 63;
  private static final int LONGEST_QUALIFIED = 64;

  static PodHostname of(JsonObject pod, String clusterDomain) {
    JsonObject spec = pod.object("spec");
    String override = spec.text("hostnameOverride", "");
    if (!override.isEmpty()) {
      return new PodHostname(cut(override), "", false);
    }
    Metadata metadata = Metadata.of(pod);
    String own = spec.text("hostname", "");
    String subdomain = spec.text("subdomain", "");
    return new PodHostname(
        cut(own.isEmpty() ? metadata.name() : own),
        subdomain.isEmpty()
            ? ""
            : "%s.%s.svc.%s".formatted(subdomain, metadata.namespace(), clusterDomain),
        spec.flag("setHostnameAsFQDN", false));
  }

  /** Cut where the kernel would refuse it, but not so that it ends with a dash or a dot. */
  private static String cut(String name) {
    if (name.length() <= LONGEST) {
      return name;
    }
    int end = LONGEST;
    while (end > 0 && (name.charAt(end - 1) == '-' || name.charAt(end - 1) == '.')) {
      end--;
    }
    return name.substring(0, end);
  }

  /** What the kernel says. */
  String kernelName() throws SpecFailure {
    if (!isQualified || domain.isEmpty()) {
      return name;
    }
    String qualified = name + "." + domain;
    if (qualified.length() > LONGEST_QUALIFIED) {
      throw new SpecFailure(
          "Failed to construct FQDN from Pod hostname and cluster domain, FQDN %s is too long"
                  .formatted(qualified)
              + " (%d characters is the max, %d characters requested)"
                  .formatted(LONGEST_QUALIFIED, qualified.length()));
    }
    return qualified;
  }
}
