package dev.berth.agent.pod;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * An image that has to be on the machine before a container starts.
 *
 * @param name as the specification has it
 * @param pullPolicy {@code Always}, {@code IfNotPresent} or {@code Never}
 * @param isVolume whether the container mounts its files, rather than runs in it
 */
record WantedImage(String name, String pullPolicy, boolean isVolume) {
  private static final String UNLESS_SAID = "IfNotPresent";

  /** Those of a container: what its volumes are made from, then its own. */
  static List<WantedImage> of(JsonObject pod, JsonObject container) {
    List<String> mounted =
        container.array("volumeMounts").objects().stream()
            .map(mount -> mount.text("name", ""))
            .toList();
    List<WantedImage> wanted = new ArrayList<>();
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      if (volume.has("image") && mounted.contains(volume.text("name", ""))) {
        JsonObject source = volume.object("image");
        wanted.add(
            new WantedImage(
                source.text("reference", ""), source.text("pullPolicy", UNLESS_SAID), true));
      }
    }
    wanted.add(
        new WantedImage(
            container.text("image", ""), container.text("imagePullPolicy", UNLESS_SAID), false));
    return wanted;
  }
}
