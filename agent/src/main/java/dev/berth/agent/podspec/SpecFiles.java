package dev.berth.agent.podspec;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files that a pod's specification is made with: its hosts, and its containers' termination
 * messages.
 */
public final class SpecFiles {
  static final String HOSTS = "etc-hosts";
  static final String CONTAINERS = "containers";

  private SpecFiles() {}

  /** Removes those of a pod whose containers have ended. Blocks. */
  public static void remove(SpecSettings settings, String podUid) throws IOException {
    Path pod = settings.podDirectory(podUid);
    Files.deleteIfExists(pod.resolve(HOSTS));
    for (Path container : children(pod.resolve(CONTAINERS))) {
      for (Path message : children(container)) {
        Files.deleteIfExists(message);
      }
      Files.deleteIfExists(container);
    }
    Files.deleteIfExists(pod.resolve(CONTAINERS));
    try {
      Files.deleteIfExists(pod);
    } catch (DirectoryNotEmptyException e) {
      // The runtime or a volume still has something there; whoever is the last removes it.
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return children.toList();
    }
  }
}
