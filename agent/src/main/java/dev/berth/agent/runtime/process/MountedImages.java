package dev.berth.agent.runtime.process;

import dev.berth.agent.image.ImageStore;
import dev.berth.agent.image.ImportedImage;
import dev.berth.agent.image.PathInRoot;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.RuntimeFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The imported images that a container mounts as volumes, in the form of directories of this
 * machine: they are read-only in the container, so that one copy does for all.
 *
 * @param spec with the directories in place of the images
 * @param ids of the images
 */
record MountedImages(ContainerSpec spec, List<String> ids) {

  static MountedImages of(ContainerSpec spec, ImageStore images) throws RuntimeFailure {
    Set<String> ids = new LinkedHashSet<>();
    List<Mount> mounts = new ArrayList<>();
    for (Mount mount : spec.mounts()) {
      if (mount.isImage()) {
        ImportedImage image =
            images
                .find(mount.image())
                .orElseThrow(
                    () -> failure("the image \"" + mount.image() + "\" is no longer on this node"));
        ids.add(image.id());
        mounts.add(
            new Mount(place(image, mount).toString(), mount.containerPath(), true, true, "None"));
      } else {
        mounts.add(mount);
      }
    }
    return new MountedImages(spec.mounting(mounts), List.copyOf(ids));
  }

  private static Path place(ImportedImage image, Mount mount) throws RuntimeFailure {
    Path place = PathInRoot.resolve(image.root(), mount.imageSubPath());
    if (!Files.exists(place)) {
      throw failure(
          "the image \"%s\" has no \"%s\"".formatted(mount.image(), mount.imageSubPath()));
    }
    return place;
  }

  private static RuntimeFailure failure(String message) {
    return new RuntimeFailure("CreateContainerError", "ImageVolumeMountFailed: " + message);
  }
}
