package dev.berth.agent.runtime.process;

import dev.berth.agent.image.ImageStore;
import dev.berth.agent.image.ImportedImage;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What images mean to a runtime that fetches none. */
final class RuntimeImages {
  private RuntimeImages() {}

  static List<Image> list(ImageStore images) {
    return images.list().stream().map(RuntimeImages::toImage).toList();
  }

  static Image toImage(ImportedImage image) {
    return new Image(image.names(), image.id(), image.bytes());
  }

  /**
   * Removes a name of an image.
   *
   * @param running containers, whose images must stay
   */
  static void remove(ImageStore images, String name, List<ContainerState> running)
      throws RuntimeFailure {
    Optional<ImportedImage> image = images.find(name);
    if (image.isEmpty()) {
      throw new RuntimeFailure("ImageNotFound", "image \"%s\" was not imported".formatted(name));
    }
    for (ContainerState container : running) {
      String id = image.get().id();
      if (container.imageId().equals(id) || container.mountedImages().contains(id)) {
        throw new RuntimeFailure(
            "ImageInUse",
            "image \"%s\" is in use by container %s".formatted(name, container.name()));
      }
    }
    try {
      images.remove(name);
    } catch (IOException e) {
      throw new RuntimeFailure("RemoveImageError", String.valueOf(e.getMessage()), e);
    }
  }
}
