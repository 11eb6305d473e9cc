package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plays a scenario on virtual time and reports what happened. */
public final class SimulateCommand implements Command {
  private static final Option COMPARE =
      Option.flag(
          "--compare",
          "Puts two simulations side by side: two scenarios, or one and the same with --with.");
  private static final Option WITH =
      new Option("--with", "PATH=VALUE,...", "With --compare: the same for the second simulation.");

  @Override
  public String name() {
    return "simulate";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Simulates a cluster and what happens to it, and reports who was evicted when.",
        "A scenario names nodes, workloads and a timeline of outages, taints and drains; see"
            + " examples/. The production server, scheduler and controllers run on virtual time with"
            + " hollow nodes: the same seed gives the same report. The exit status is 1 if"
            + " something that the scenario expects does not hold.");
  }

  @Override
  public List<String> parameters() {
    return List.of("SCENARIO");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("SCENARIO");
  }

  @Override
  public List<Option> options() {
    List<Option> all = new ArrayList<>(ScenarioRuns.OPTIONS);
    all.addAll(List.of(COMPARE, WITH));
    return all;
  }

  @Override
  public int run(Arguments arguments, Console console) {
    List<Scenario> scenarios = scenarios(arguments);
    if (scenarios.size() > 1 && arguments.has(ScenarioRuns.RUNS.name())) {
      throw new UsageException(
          ScenarioRuns.RUNS.name() + " and " + COMPARE.name() + " cannot be combined.");
    }
    return ScenarioRuns.play(scenarios, arguments, console);
  }

  private static List<Scenario> scenarios(Arguments arguments) {
    boolean compares = arguments.has(COMPARE.name());
    boolean two = arguments.parameters().size() == 2;
    if (two && !compares) {
      throw new UsageException("Two scenarios can only be compared: give " + COMPARE.name() + ".");
    }
    if (compares && two == arguments.has(WITH.name())) {
      throw new UsageException(
          "%s needs either a second scenario or %s.".formatted(COMPARE.name(), WITH.name()));
    }
    if (arguments.has(WITH.name()) && !compares) {
      throw new UsageException("%s needs %s.".formatted(WITH.name(), COMPARE.name()));
    }
    Map<String, String> changes = ScenarioRuns.changes(arguments, ScenarioRuns.SET);
    List<Scenario> scenarios = new ArrayList<>();
    scenarios.add(scenario(arguments, 0, changes));
    if (compares) {
      Map<String, String> others = new TreeMap<>(changes);
      others.putAll(ScenarioRuns.changes(arguments, WITH));
      Scenario second = scenario(arguments, two ? 1 : 0, others);
      scenarios.add(
          two
              ? second
              : second.named(second.name() + " with " + arguments.text(WITH.name()).orElse("")));
    }
    return scenarios;
  }

  private static Scenario scenario(Arguments arguments, int place, Map<String, String> changes) {
    return ScenarioRuns.seeded(ScenarioFile.read(arguments.file(place), changes), arguments);
  }
}
