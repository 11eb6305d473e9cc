package dev.berth.cli.node;

import dev.berth.agent.Agent;
import dev.berth.agent.control.ControlClient;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where agents keep their state on this machine, for commands that work on that. */
final class AgentDirectories {
  static final Option DATA =
      new Option(
          "--data",
          "DIR",
          "The directory of the agent, or of the server that it belongs to (default: those that"
              + " \"berth up\" and \"berth node\" usually have).");

  /** The kernel's list of them. */
  private static final Path SOCKETS = Path.of("/proc/net/unix");

  private AgentDirectories() {}

  /** Those that were named, or else the usual ones; only where an agent has run. */
  static List<Path> find(Arguments arguments) {
    Optional<Path> said = arguments.path(DATA.name()).map(Path::toAbsolutePath);
    return said.map(Stream::of)
        .orElseGet(() -> Stream.of(DataOption.directory(arguments), NodeOptions.USUAL_DATA))
        .map(AgentDirectories::agentOf)
        .filter(Agent::wasIn)
        .distinct()
        .toList();
  }

  /** Where agents run on this machine, usual or not, as far as their sockets are seen. */
  static List<Path> running() {
    try (Stream<String> sockets = Files.lines(SOCKETS)) {
      return sockets
          .map(line -> line.substring(line.lastIndexOf(' ') + 1))
          .filter(path -> path.startsWith("/") && path.endsWith("/" + ControlClient.SOCKET))
          .map(path -> Path.of(path).resolveSibling(""))
          .filter(Agent::wasIn)
          .distinct()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** A server keeps its agent's state in a directory of its own. */
  private static Path agentOf(Path place) {
    return Files.isDirectory(place.resolve("node")) ? place.resolve("node") : place;
  }

  /** Why there is none. */
  static String none(Arguments arguments) {
    return arguments
        .path(DATA.name())
        .map(place -> "no agent has run in " + place.toAbsolutePath())
        .orElseGet(() ->
            "no agent has run in %s or in %s; %s names another directory"
                .formatted(DataOption.directory(arguments), NodeOptions.USUAL_DATA, DATA.name()));
  }
}
