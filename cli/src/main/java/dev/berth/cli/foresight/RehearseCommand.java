package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.sim.scenario.OutageOfEachZone;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioFile;
import dev.berth.sim.snapshot.SnapshotCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays a scenario on a copy of a running cluster. */
public final class RehearseCommand implements Command {
  private static final Option SCENARIO =
      new Option(
          "--scenario",
          "FILE",
          "What happens: a scenario, whose nodes and workloads, if it has any, come on top"
              + " (default: each zone is lost for half an hour, one after the other; a tenth of the"
              + " nodes if there are no zones).");

  @Override
  public String name() {
    return "rehearse";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Shows what an outage, a taint or a drain would do to a running cluster.",
        "Takes a snapshot of the cluster, or reads one, and plays a scenario on a copy of it on"
            + " virtual time, with hollow nodes in place of the real ones; the cluster itself is"
            + " only read. Pods begin where they run. The settings of the controllers are those of"
            + " the cluster where they can be seen, the defaults otherwise, and the scenario's"
            + " before both. Everything else is as with \"berth simulate\".");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(ClusterSource.OPTIONS);
    options.add(SCENARIO);
    options.addAll(ScenarioRuns.OPTIONS);
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    Optional<Path> script = arguments.path(SCENARIO.name());
    if (script.isEmpty() && arguments.has(ScenarioRuns.SET.name())) {
      throw new UsageException(
          "%s changes a scenario: give %s.".formatted(ScenarioRuns.SET.name(), SCENARIO.name()));
    }
    SnapshotCluster cluster = SnapshotCluster.of(ClusterSource.read(arguments));
    Scenario scenario =
        script
            .map(path ->
                ScenarioFile.read(path, ScenarioRuns.changes(arguments, ScenarioRuns.SET), cluster))
            .orElseGet(() -> OutageOfEachZone.of(cluster));
    if (script.isEmpty()) {
      console.out().println(scenario.description());
    }
    return ScenarioRuns.play(List.of(ScenarioRuns.seeded(scenario, arguments)), arguments, console);
  }
}
