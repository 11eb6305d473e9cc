package dev.berth.cli.node;

import dev.berth.agent.Agent;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.Running;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Removes everything that an agent made on this machine. */
public final class ResetCommand implements Command {
  private static final Option DATA =
      new Option(
          "--data",
          "DIR",
          "The directory of the agent, or of the server that it belongs to (default: those that"
              + " \"berth up\" and \"berth node\" usually have).");

  @Override
  public String name() {
    return "reset";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Removes everything that an agent made on this machine: pods with their processes, mounts,"
            + " networks and logs, imported images, certificates, and volumes that are"
            + " directories.",
        "The data of a server stay. Stop what runs first: berth down, or the service.");
  }

  @Override
  public List<Option> options() {
    return List.of(DATA);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    Optional<Path> said = arguments.path(DATA.name()).map(Path::toAbsolutePath);
    Stream<Path> places =
        said.map(Stream::of)
            .orElseGet(() -> Stream.of(DataOption.directory(arguments), NodeOptions.USUAL_DATA));
    List<Path> roots = places.map(ResetCommand::agentOf).filter(Agent::wasIn).distinct().toList();
    if (roots.isEmpty()) {
      console
          .err()
          .printf(
              "berth: There is nothing to remove%s.%n",
              said.map(place -> ": no agent has run in " + place)
                  .orElse(": no agent has run on this machine"));
      return ExitCode.OK;
    }
    try (WallTime time = Running.time()) {
      for (Path root : roots) {
        Agent.remove(root, time);
        console.out().printf("Removed the node in %s.%n", root);
      }
      return ExitCode.OK;
    } catch (IOException e) {
      console.err().println("berth: " + e.getMessage());
      return ExitCode.FAILED;
    }
  }

  /** A server keeps its agent's state in a directory of its own. */
  private static Path agentOf(Path place) {
    return Files.exists(place.resolve("berth.db")) || Files.isDirectory(place.resolve("node"))
        ? place.resolve("node")
        : place;
  }
}
