package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * What a pod needs of its node's system.
 *
 * @param osSelector the operating system that its node selector asks for; empty for any
 * @param os the one it is made for; empty if it does not say
 * @param sysctls the names of kernel parameters that it sets, with dots
 * @param ownGroupsOnly whether its processes must not be in groups that its images name
 * @param isStatic whether the node runs it from a file or a URL
 */
public record PodPlatform(
    String osSelector,
    String os,
    List<String> sysctls,
    boolean hostNetwork,
    boolean hostIpc,
    boolean ownGroupsOnly,
    boolean isStatic) {

  public static PodPlatform read(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    return new PodPlatform(
        spec.object("nodeSelector").text("kubernetes.io/os", ""),
        spec.object("os").text("name", ""),
        spec.object("securityContext").array("sysctls").objects().stream()
            .map(sysctl -> sysctl.text("name", "").replace('/', '.'))
            .toList(),
        spec.flag("hostNetwork", false),
        spec.flag("hostIPC", false),
        spec.object("securityContext").text("supplementalGroupsPolicy", "").equals("Strict"),
        isStatic(Metadata.of(pod)));
  }

  /** Whether a node runs a pod from a file or a URL. */
  public static boolean isStatic(Metadata metadata) {
    return metadata
        .annotation(WellKnownAnnotations.CONFIG_SOURCE)
        .filter(source -> !source.equals("api"))
        .isPresent();
  }
}
