package dev.berth.cli.running;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.options.DataOption;
import java.nio.file.Path;
import java.util.List;

/** A server that runs on this machine, and the directory by which it was found. */
public record FoundServer(Path directory, ServerFile file) {

  /** Where to look: in the directory that was named, or else wherever servers usually are. */
  public static List<Path> places(Arguments arguments) {
    return arguments.has(DataOption.OPTION.name())
        ? List.of(DataOption.directory(arguments))
        : List.of(DataOption.directory(arguments), DataOption.ephemeral());
  }

  /** The servers that run there. */
  public static List<FoundServer> in(List<Path> places) {
    return places.stream()
        .flatMap(place -> ServerFile.read(place).map(file -> new FoundServer(place, file)).stream())
        .toList();
  }
}
