package dev.berth.scheduler.cluster.pod;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The images that a pod needs on its node. */
final class PodImages {
  private PodImages() {}

  static List<String> of(JsonObject spec) {
    List<String> images = new ArrayList<>(2);
    for (String containers : List.of("initContainers", "containers")) {
      for (JsonObject container : spec.array(containers).objects()) {
        add(container.text("image", ""), images);
      }
    }
    for (JsonObject volume : spec.array("volumes").objects()) {
      add(volume.object("image").text("reference", ""), images);
    }
    return List.copyOf(images);
  }

  private static void add(String image, List<String> images) {
    if (!image.isEmpty()) {
      images.add(withTag(image));
    }
  }

  /** An image's name as nodes report it: with a tag, or a digest. */
  static String withTag(String image) {
    return image.lastIndexOf(':') <= image.lastIndexOf('/') ? image + ":latest" : image;
  }
}
