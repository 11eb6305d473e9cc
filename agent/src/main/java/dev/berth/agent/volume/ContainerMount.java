package dev.berth.agent.volume;

import dev.berth.agent.runtime.Mount;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** What a container's {@code volumeMounts} entry asks for. */
final class ContainerMount {
  private static final String NONE = "None";

  private ContainerMount() {}

  /**
   * The part of the volume that is wanted; empty for all of it.
   *
   * @param environment the container's, for {@code subPathExpr}
   */
  static String subPath(JsonObject mount, Map<String, String> environment) throws SetUpException {
    String expression = mount.text("subPathExpr", "");
    String subPath =
        expression.isEmpty()
            ? mount.text("subPath", "")
            : SubPathExpression.expand(expression, environment);
    if (subPath.startsWith("/")) {
      throw new SetUpException(
          "error SubPath `%s` must not be an absolute path".formatted(subPath));
    }
    if (List.of(subPath.split("/", -1)).contains("..")) {
      throw new SetUpException(
          "unable to provision SubPath `%s`: must not contain '..'".formatted(subPath));
    }
    return subPath;
  }

  /**
   * @param place on the machine
   */
  static Mount of(JsonObject mount, String place, PreparedVolume volume) throws SetUpException {
    String propagation = mount.text("mountPropagation", NONE);
    return new Mount(
        place,
        path(mount),
        mount.flag("readOnly", false) || volume.isReadOnly(),
        isRecursivelyReadOnly(mount, propagation),
        propagation);
  }

  /**
   * @param subPath the part of the image; empty for all of it
   */
  static Mount ofImage(JsonObject mount, String subPath, PreparedVolume volume)
      throws SetUpException {
    String propagation = mount.text("mountPropagation", NONE);
    return new Mount(
        "",
        path(mount),
        true,
        isRecursivelyReadOnly(mount, propagation),
        propagation,
        volume.image(),
        subPath);
  }

  private static String path(JsonObject mount) {
    String path = mount.text("mountPath", "");
    return path.startsWith("/") ? path : "/" + path;
  }

  private static boolean isRecursivelyReadOnly(JsonObject mount, String propagation)
      throws SetUpException {
    String mode = mount.text("recursiveReadOnly", "Disabled");
    String name = mount.text("name", "");
    if (mode.equals("Disabled")) {
      return false;
    }
    if (!mount.flag("readOnly", false)) {
      throw refused(
          "volume \"%s\" requested recursive read-only mode, but it is not read-only"
              .formatted(name));
    }
    if (!propagation.equals(NONE)) {
      throw refused(
          ("volume \"%s\" requested recursive read-only mode, but it is not compatible with"
                  + " propagation \"%s\"")
              .formatted(name, propagation));
    }
    if (!mode.equals("Enabled") && !mode.equals("IfPossible")) {
      throw refused("unknown recursive read-only mode \"%s\"".formatted(mode));
    }
    return true;
  }

  private static SetUpException refused(String why) {
    return new SetUpException("failed to resolve recursive read-only mode: " + why);
  }
}
