package dev.berth.grpc.cri;

import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.grpc.criapi.Cri;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The images that a container mounts as volumes. A runtime that is too old for them does not know
 * the fields that ask for them, and nothing tells it from others but its version.
 */
final class ImageVolumes {
  private static final String REASON = "CreateContainerError";
  private static final Pattern CONTAINERD = Pattern.compile("containerd://v?(\\d+)\\.(\\d+).*");

  /** containerd mounts images since 2.1. */
  private static final int MAJOR = 2;

  private static final int MINOR = 1;

  private ImageVolumes() {}

  /** Why a runtime cannot mount images; empty if it can, as far as is known. */
  static String problem(String version) {
    Matcher containerd = CONTAINERD.matcher(version);
    if (!containerd.matches()) {
      return "";
    }
    int major = Integer.parseInt(containerd.group(1));
    int minor = Integer.parseInt(containerd.group(2));
    return major > MAJOR || (major == MAJOR && minor >= MINOR)
        ? ""
        : "ImageVolumeMountFailed: %s cannot mount images as volumes, which takes containerd %d.%d or later"
            .formatted(version.replace("://", " "), MAJOR, MINOR);
  }

  /**
   * The ids of the images that a container mounts, by the names in its pod's specification.
   *
   * @param version of the runtime
   */
  static Map<String, String> ids(ContainerSpec spec, CriImages images, String version)
      throws RuntimeFailure {
    Map<String, String> ids = new LinkedHashMap<>();
    for (String name : spec.mountedImages()) {
      String problem = problem(version);
      if (!problem.isEmpty()) {
        throw new RuntimeFailure(REASON, problem);
      }
      Cri.Image image =
          images
              .status(name)
              .orElseThrow(() ->
                  new RuntimeFailure(
                      REASON,
                      "ImageVolumeMountFailed: image \"%s\" is no longer on this machine"
                          .formatted(name)));
      ids.put(name, image.getId());
    }
    return ids;
  }
}
