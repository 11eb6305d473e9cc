package dev.berth.agent.pod;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Finds containers in a pod. */
final class PodContainers {
  private static final List<String> SPECS =
      List.of("containers", "initContainers", "ephemeralContainers");
  private static final List<String> STATUSES =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  private PodContainers() {}

  /** The specification of a container; nothing but its name if the pod has none of that name. */
  static JsonObject spec(JsonObject pod, String name) {
    JsonObject found = find(pod.object("spec"), SPECS, name);
    return found.isEmpty() ? JsonObject.of("name", name) : found;
  }

  /** Whether a container is none of the init or ephemeral ones. */
  static boolean isMain(JsonObject pod, String name) {
    return !find(pod.object("spec"), List.of("containers"), name).isEmpty();
  }

  /** What a container is, as metrics say it. */
  static String type(JsonObject pod, String name) {
    JsonObject spec = pod.object("spec");
    if (!find(spec, List.of("initContainers"), name).isEmpty()) {
      return "init_container";
    }
    return find(spec, List.of("ephemeralContainers"), name).isEmpty()
        ? "container"
        : "ephemeral_container";
  }

  /** What a status says of a container; empty if nothing. */
  static JsonObject status(JsonObject status, String name) {
    return find(status, STATUSES, name);
  }

  private static JsonObject find(JsonObject in, List<String> fields, String name) {
    for (String field : fields) {
      for (JsonObject each : in.array(field).objects()) {
        if (each.text("name", "").equals(name)) {
          return each;
        }
      }
    }
    return JsonObject.EMPTY;
  }
}
