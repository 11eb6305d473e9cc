package dev.berth.agent.pod;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links to the logs of containers in {@code /var/log/containers}, by whose names collectors of logs
 * know what they read. There are none for logs that are elsewhere than in {@code /var/log}: whoever
 * mounts that could not follow them.
 *
 * <p>For any thread; blocks.
 */
public final class LogLinks {
  private static final Logger LOG = LoggerFactory.getLogger(PodAgent.NAME);
  private static final String ENDING = ".log";

  /** The longest name of a file, without its ending. */
  private static final int LONGEST = 255 - ENDING.length();

  private final Path logs;

  /**
   * @param logs such as {@code /var/log}
   */
  LogLinks(Path logs) {
    this.logs = logs;
  }

  public static LogLinks ofMachine() {
    return new LogLinks(Path.of("/var/log"));
  }

  void add(PodId pod, ContainerStatus container) {
    Path log = Path.of(container.logFile());
    if (!log.startsWith(logs)) {
      return;
    }
    String name =
        "%s_%s_%s-%s".formatted(pod.name(), pod.namespace(), container.name(), container.id());
    String cut = name.substring(0, Math.min(name.length(), LONGEST));
    try {
      Files.createDirectories(links());
      Files.createSymbolicLink(links().resolve(cut + ENDING), log);
    } catch (FileAlreadyExistsException e) {
      // An agent that was killed has made it.
    } catch (IOException e) {
      LOG.warn(
          "{}: {}: its log has no link in {}: {}", pod, container.name(), links(), e.toString());
    }
  }

  /** Removes those that lead nowhere any more, whoever made them, as kubelets do. */
  void removeDead() {
    if (!Files.isDirectory(links())) {
      return;
    }
    try (Stream<Path> found = Files.list(links())) {
      List<Path> dead =
          found
              .filter(link -> link.toString().endsWith(ENDING))
              .filter(link -> Files.isSymbolicLink(link) && !Files.exists(link))
              .toList();
      for (Path link : dead) {
        Files.deleteIfExists(link);
      }
    } catch (IOException e) {
      LOG.warn("links to logs that are gone stay in {}: {}", links(), e.toString());
    }
  }

  /** Removes what is left of links and logs when an agent is gone for good. */
  public void clear() throws IOException {
    removeDead();
    for (Path directory : List.of(links(), logs.resolve("pods"))) {
      try {
        Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException e) {
        // Other agents have pods on this machine.
      }
    }
  }

  private Path links() {
    return logs.resolve("containers");
  }
}
