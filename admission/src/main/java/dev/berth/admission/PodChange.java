package dev.berth.admission;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Whether a change of a pod can make a difference to its security: another image or container. */
final class PodChange {
  private PodChange() {}

  static boolean isSignificant(JsonObject old, JsonObject changed) {
    JsonObject before = old.object("spec");
    JsonObject after = changed.object("spec");
    return Stream.of("containers", "initContainers")
            .anyMatch(list -> !images(before, list).equals(images(after, list)))
        || after.array("ephemeralContainers").objects().stream()
            .anyMatch(container -> !isKnown(container, before));
  }

  private static List<String> images(JsonObject spec, String list) {
    return spec.array(list).objects().stream().map(PodChange::image).toList();
  }

  private static boolean isKnown(JsonObject container, JsonObject before) {
    return before.array("ephemeralContainers").objects().stream()
        .filter(other -> other.text("name", "").equals(container.text("name", "")))
        .anyMatch(other -> image(other).equals(image(container)));
  }

  private static String image(JsonObject container) {
    return container.text("image", "");
  }
}
