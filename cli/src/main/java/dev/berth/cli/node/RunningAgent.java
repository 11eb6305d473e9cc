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
import java.util.stream.Collectors;

/**
 * The agent that runs on this machine, for commands that ask it something.
 *
 * @param root its directory
 * @param status how it stands
 */
record RunningAgent(Path root, JsonObject status) {

  /**
   * The one that runs where it was said, or else in a usual directory, or else anywhere; empty if
   * none does.
   */
  static Optional<RunningAgent> find(Arguments arguments) {
    List<RunningAgent> running = in(AgentDirectories.find(arguments));
    if (running.isEmpty() && !arguments.has(AgentDirectories.DATA.name())) {
      running = in(AgentDirectories.running());
    }
    if (running.size() > 1) {
      throw new UsageException(
          "Several agents are running: name one, by %s."
              .formatted(
                  running.stream()
                      .map(each -> AgentDirectories.DATA.name() + "=" + each.root)
                      .collect(Collectors.joining(" or by "))));
    }
    return running.stream().findFirst();
  }

  private static List<RunningAgent> in(List<Path> roots) {
    List<RunningAgent> running = new ArrayList<>();
    for (Path root : roots) {
      try {
        ControlClient.status(root).ifPresent(status -> running.add(new RunningAgent(root, status)));
      } catch (IOException e) {
        throw new UncheckedIOException(
            "The agent in %s does not answer: %s".formatted(root, e.getMessage()), e);
      }
    }
    return running;
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
