package dev.berth.cli.node;

import dev.berth.agent.control.ControlClient;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.shutdown.ShutdownPeriods;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code berth node drain-and-stop}: what a shutdown of the machine does, where nobody says so. */
final class DrainVerb {
  static final String NAME = "drain-and-stop";

  private static final Option TOTAL =
      new Option(
          "--shutdown-grace-period",
          "DURATION",
          "With drain-and-stop: what all pods get to end (default: what the KubeletConfiguration"
              + " says, else 2m30s).");
  private static final Option CRITICAL =
      new Option(
          "--shutdown-grace-period-critical-pods",
          "DURATION",
          "With drain-and-stop: what of that is kept for critical pods (default: what the"
              + " KubeletConfiguration says, else 30s; 0 with --shutdown-grace-period).");

  static final List<Option> OPTIONS = List.of(TOTAL, CRITICAL);

  private DrainVerb() {}

  static int run(Arguments arguments, Console console) {
    Optional<ShutdownPeriods> periods = periods(arguments);
    Optional<RunningAgent> agent = RunningAgent.find(arguments);
    if (agent.isEmpty()) {
      console.err().println(RunningAgent.none(arguments));
      return ExitCode.NOT_RUNNING;
    }
    String node = agent.get().status().text("node", "");
    say(console, "The node \"%s\" takes no new pods.".formatted(node));
    JsonObject left;
    try {
      left =
          ControlClient.drain(agent.get().root(), periods, line -> say(console, line))
              .orElseThrow(() -> new IOException("it has ended meanwhile"));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The node \"%s\" was not drained: %s".formatted(node, e.getMessage()), e);
    }
    long running = left.object("runtime").integer("runningPods").orElse(0);
    if (running > 0) {
      console
          .err()
          .printf(
              "berth: The node \"%s\" has stopped, but %s still run%s: \"berth reset\" ends what is"
                  + " left.%n",
              node, running == 1 ? "1 pod" : running + " pods", running == 1 ? "s" : "");
      return ExitCode.FAILED;
    }
    say(console, "The node \"%s\" has stopped; none of its pods runs.".formatted(node));
    return ExitCode.OK;
  }

  private static void say(Console console, String line) {
    console.out().println(line);
    console.out().flush();
  }

  private static Optional<ShutdownPeriods> periods(Arguments arguments) {
    if (!arguments.has(TOTAL.name())) {
      if (arguments.has(CRITICAL.name())) {
        throw new UsageException(CRITICAL.name() + " needs " + TOTAL.name() + ".");
      }
      return Optional.empty();
    }
    Duration total = FlagValues.duration(arguments, TOTAL, Duration.ZERO);
    Duration critical = FlagValues.durationOrZero(arguments, CRITICAL, Duration.ZERO);
    if (total.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new UsageException(
          "%s must be 1s or more, not \"%s\"."
              .formatted(TOTAL.name(), arguments.text(TOTAL.name()).orElse("")));
    }
    if (critical.compareTo(total) > 0) {
      throw new UsageException(
          "%s %s must be <= %s %s."
              .formatted(
                  CRITICAL.name(),
                  FlagValues.text(critical),
                  TOTAL.name(),
                  FlagValues.text(total)));
    }
    return Optional.of(ShutdownPeriods.of(total, critical));
  }
}
