package dev.berth.cli;

import java.nio.file.Path;

/** Where a command finds the cluster's data. */
final class DataOption {
  static final Option OPTION =
      new Option(
          "--data",
          "DIR",
          "The directory of the cluster's data (default: $BERTH_DATA, or else ~/.berth).");

  private DataOption() {}

  static Path directory(Arguments arguments) {
    return arguments.path(OPTION.name()).orElseGet(DataOption::usual);
  }

  private static Path usual() {
    String fromEnvironment = System.getenv("BERTH_DATA");
    return fromEnvironment == null || fromEnvironment.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".berth")
        : Path.of(fromEnvironment);
  }
}
