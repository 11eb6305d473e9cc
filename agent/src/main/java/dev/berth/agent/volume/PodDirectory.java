package dev.berth.agent.volume;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the volumes of a pod are, as kubelets have them:
 *
 * <ul>
 *   <li>{@code volumes/<plugin>/<name>}: a volume's directory. The name is the pod's own for it, or
 *       the PersistentVolume's.
 *   <li>{@code plugins/<plugin>/<name>/ready}: it was made, once.
 *   <li>{@code volume-subpaths/<volume>/<container>/<index>}: a part of a volume for a container.
 * </ul>
 *
 * @param directory {@code pods/<uid>}, which holds other parts' files too
 */
record PodDirectory(Path directory) {
  private static final String PODS = "pods";
  private static final String VOLUMES = "volumes";
  private static final String PLUGINS = "plugins";
  private static final String SUB_PATHS = "volume-subpaths";
  private static final List<String> OWN = List.of(SUB_PATHS, VOLUMES, PLUGINS);

  /**
   * @throws IOException if the uid is no name for a directory
   */
  static PodDirectory of(Path root, String uid) throws IOException {
    return new PodDirectory(child(root.resolve(PODS), uid));
  }

  /** A file or directory of a name that others chose, in a directory of ours. */
  static Path child(Path directory, String name) throws IOException {
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('/') >= 0
        || name.indexOf('\0') >= 0) {
      throw new IOException("\"" + name + "\" is no name for a file");
    }
    return directory.resolve(name);
  }

  /** The uids of the pods that have volumes here. */
  static List<String> withVolumes(Path root) throws IOException {
    List<String> uids = new ArrayList<>();
    for (Path pod : list(root.resolve(PODS))) {
      if (OWN.stream().anyMatch(part -> exists(pod.resolve(part)))) {
        uids.add(String.valueOf(pod.getFileName()));
      }
    }
    return List.copyOf(uids);
  }

  /** The pods that have a volume of a plugin, by their uids. */
  static List<String> users(Path root, String plugin, String volume) throws IOException {
    List<String> uids = new ArrayList<>();
    for (Path pod : list(root.resolve(PODS))) {
      if (exists(new PodDirectory(pod).volume(plugin, volume))) {
        uids.add(String.valueOf(pod.getFileName()));
      }
    }
    return List.copyOf(uids);
  }

  Path volume(String plugin, String name) throws IOException {
    return child(directory.resolve(VOLUMES).resolve(plugin), name);
  }

  Path readyFile(String plugin, String name) throws IOException {
    return child(directory.resolve(PLUGINS).resolve(plugin), name).resolve("ready");
  }

  Path subPath(String volume, String container, int index) throws IOException {
    Path ofVolume = child(directory.resolve(SUB_PATHS), volume);
    return child(ofVolume, container).resolve(Integer.toString(index));
  }

  /** Unmounts and removes all volumes. What others have in the pod's directory stays. */
  void removeVolumes() throws IOException {
    for (String part : OWN) {
      Path own = directory.resolve(part);
      if (exists(own)) {
        Mounts.unmountBelow(own.toAbsolutePath());
        TreeRemoval.remove(own);
      }
    }
  }

  static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<Path> list(Path directory) throws IOException {
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(paths::add);
    } catch (NoSuchFileException none) {
      return List.of();
    }
    paths.sort(null);
    return paths;
  }
}
