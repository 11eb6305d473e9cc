package dev.berth.cli.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.tree.JsonWriter;
import java.util.Optional;

/** {@code berth node status}: how the agent of this machine stands. */
final class StatusVerb {
  static final String NAME = "status";

  static final Option OUTPUT =
      new Option("-o", "json", "With status: says it as JSON instead of in words.");

  private StatusVerb() {}

  static int run(Arguments arguments, Console console) {
    String output = arguments.text(OUTPUT.name()).orElse("");
    if (!output.isEmpty() && !output.equals("json")) {
      throw new UsageException("%s must be json, not \"%s\".".formatted(OUTPUT.name(), output));
    }
    Optional<RunningAgent> agent = RunningAgent.find(arguments);
    if (agent.isEmpty()) {
      console.err().println(RunningAgent.none(arguments));
      return ExitCode.NOT_RUNNING;
    }
    console
        .out()
        .println(
            output.isEmpty()
                ? NodeStatusText.of(agent.get().status())
                : new String(JsonWriter.toBytes(agent.get().status()), UTF_8));
    return ExitCode.OK;
  }
}
