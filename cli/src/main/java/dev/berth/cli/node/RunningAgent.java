package dev.berth.cli.node;

import dev.berth.agent.control.ControlClient;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The agent that runs on this machine, for commands that ask it something.
 *
 * @param root its directory
 * @param status how it stands
 */
record RunningAgent(Path root, JsonObject status) {

  /** The one that runs; empty if none does where one is looked for. */
  static Optional<RunningAgent> find(Arguments arguments) {
    List<RunningAgent> running = new ArrayList<>();
    for (Path root : AgentDirectories.find(arguments)) {
      try {
        ControlClient.status(root).ifPresent(status -> running.add(new RunningAgent(root, status)));
      } catch (IOException e) {
        throw new UncheckedIOException(
            "The agent in %s does not answer: %s".formatted(root, e.getMessage()), e);
      }
    }
    if (running.size() > 1) {
      throw new UsageException(
          "Two agents are running: name one, by %s=%s or by %s=%s."
              .formatted(
                  AgentDirectories.DATA.name(),
                  running.get(0).root,
                  AgentDirectories.DATA.name(),
                  running.get(1).root));
    }
    return running.stream().findFirst();
  }

  /** Why there is none. */
  static String none(Arguments arguments) {
    List<Path> roots = AgentDirectories.find(arguments);
    return roots.isEmpty()
        ? "berth: No agent is running: %s.".formatted(AgentDirectories.none(arguments))
        : "berth: No agent is running in %s: start it with \"berth node\" or \"berth up\"."
            .formatted(String.join(" or ", roots.stream().map(Path::toString).toList()));
  }
}
