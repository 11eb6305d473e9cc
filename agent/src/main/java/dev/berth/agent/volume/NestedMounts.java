package dev.berth.agent.volume;

import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Directories in a volume that other volumes are mounted on. Nobody could make them later in a
 * volume that is read-only.
 */
final class NestedMounts {
  private NestedMounts() {}

  static void make(PodVolume volume, Path directory) throws SetUpException, IOException {
    for (Path nested : find(volume)) {
      Path path = directory.resolve(nested);
      if (!Files.isDirectory(path)) {
        Files.createDirectories(path);
      }
    }
  }

  /** Where in the volume others are mounted in some container, but not within one another. */
  static Set<Path> find(PodVolume volume) throws SetUpException {
    Set<Path> nested = new TreeSet<>();
    for (JsonObject container : Containers.of(volume.pod())) {
      Set<Path> all = new TreeSet<>();
      Set<Path> own = new TreeSet<>();
      for (JsonObject mount : container.array("volumeMounts").objects()) {
        Path at = Path.of("/", mount.text("mountPath", "")).normalize();
        all.add(at);
        if (mount.text("name", "").equals(volume.name())) {
          own.add(at);
        }
      }
      for (Path place : own) {
        add(place, all, nested);
      }
    }
    return nested;
  }

  private static void add(Path place, Set<Path> all, Set<Path> nested) throws SetUpException {
    Set<Path> found = new TreeSet<>();
    for (Path other : all) {
      if (other.startsWith(place)
          && !other.equals(place)
          && found.stream().noneMatch(other::startsWith)) {
        found.add(other);
        Path inside = place.relativize(other);
        if (inside.startsWith("..")) {
          throw new SetUpException("invalid container mount point " + other);
        }
        nested.add(inside);
      }
    }
  }
}
