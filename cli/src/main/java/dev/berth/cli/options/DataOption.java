package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import java.nio.file.Path;

/** The option that names the data directory. */
public final class DataOption {
  public static final Option OPTION =
      new Option(
          "--data",
          "DIR",
          "The directory of the cluster's data (default: $BERTH_DATA, or else ~/.berth).");

  private DataOption() {}

  public static Path directory(Arguments arguments) {
    return arguments.path(OPTION.name()).orElseGet(DataOption::usual);
  }

  /**
   * The directory of an ephemeral server that was started without the option: beside the usual one,
   * where nobody else can put anything.
   */
  public static Path ephemeral() {
    Path usual = usual();
    return usual.resolveSibling(usual.getFileName() + "-ephemeral");
  }

  private static Path usual() {
    String fromEnvironment = System.getenv("BERTH_DATA");
    return fromEnvironment == null || fromEnvironment.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".berth")
        : Path.of(fromEnvironment);
  }
}
