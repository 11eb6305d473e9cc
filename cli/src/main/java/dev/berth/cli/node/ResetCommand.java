package dev.berth.cli.node;

import dev.berth.agent.Agent;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.running.Running;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Removes everything that an agent made on this machine. */
public final class ResetCommand implements Command {

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
    return List.of(AgentDirectories.DATA);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    List<Path> roots = AgentDirectories.find(arguments);
    if (roots.isEmpty()) {
      console
          .err()
          .println(
              "berth: There is nothing to remove: %s.".formatted(AgentDirectories.none(arguments)));
      return ExitCode.OK;
    }
    try (WallTime time = Running.time()) {
      for (Path root : roots) {
        Agent.remove(root, time);
        console.out().printf("Removed the node in %s.%n", root);
      }
      return ExitCode.OK;
    } catch (IOException e) {
      console.err().println("berth: " + e.getMessage() + ".");
      return ExitCode.FAILED;
    }
  }
}
