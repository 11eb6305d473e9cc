package dev.berth.cli.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

/** The files of a data directory by name, size and time: enough to see what is missing. */
final class DirectoryListing {
  private static final int DEPTH = 2;

  private DirectoryListing() {}

  static String of(Path directory) {
    StringBuilder text = new StringBuilder("     bytes  changed               file\n");
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      files
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(file -> text.append(line(directory, file)));
    } catch (IOException | UncheckedIOException e) {
      text.append(directory).append(" cannot be read: ").append(e.getMessage()).append('\n');
    }
    return text.toString();
  }

  private static String line(Path directory, Path file) {
    try {
      return "%10d  %-20s  %s%n"
          .formatted(
              Files.size(file),
              Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.SECONDS),
              directory.relativize(file));
    } catch (IOException e) {
      // Gone since it was found.
      return "";
    }
  }
}
