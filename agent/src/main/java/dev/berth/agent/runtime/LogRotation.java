package dev.berth.agent.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/**
 * When a container's log is put aside and another one begun. What was put aside is named after the
 * log and the time of that: {@code 0.log.20260101-000000.000000000}.
 *
 * @param maxBytes how large a file gets, by and large
 * @param maxFiles how many there are of a container, with the one that is written to
 */
public record LogRotation(long maxBytes, int maxFiles) {
  /** Kubernetes' {@code containerLogMaxSize} and {@code containerLogMaxFiles}. */
  public static final LogRotation DEFAULT = new LogRotation(10L << 20, 5);

  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss.nnnnnnnnn").withZone(ZoneOffset.UTC);

  public LogRotation {
    if (maxBytes < 1 || maxFiles < 2) {
      throw new IllegalArgumentException("logs need room and at least two files");
    }
  }

  /** Where a log goes that is put aside now. */
  public static Path aside(Path log, Instant now) {
    return log.resolveSibling(log.getFileName() + "." + FILE_TIME.format(now));
  }

  /** The files that were put aside of a log, the oldest first. */
  public static List<Path> rotated(Path log) throws IOException {
    String prefix = log.getFileName() + ".";
    try (Stream<Path> files = Files.list(log.resolveSibling(""))) {
      return files
          .filter(each -> each.getFileName().toString().startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  /** Deletes the oldest files that were put aside, if there are too many. */
  public void deleteOldest(Path log) throws IOException {
    List<Path> older = rotated(log);
    for (Path old : older.subList(0, Math.max(0, older.size() - (maxFiles - 1)))) {
      Files.deleteIfExists(old);
    }
  }
}
