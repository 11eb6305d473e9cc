package dev.berth.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command finds the cluster's data. */
final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The directory of the cluster's data (default: $BERTH_DATA, or else ~/.berth).")
  private @Nullable Path directory;

  Path directory() {
    if (directory != null) {
      return directory;
    }
    String fromEnvironment = System.getenv("BERTH_DATA");
    return fromEnvironment == null || fromEnvironment.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".berth")
        : Path.of(fromEnvironment);
  }
}
