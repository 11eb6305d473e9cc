package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.sim.record.Recording;
import dev.berth.sim.report.CsvReport;
import dev.berth.sim.report.HtmlReport;
import dev.berth.sim.report.Judgement;
import dev.berth.sim.report.ReportData;
import dev.berth.sim.report.RunSummary;
import dev.berth.sim.run.Simulation;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.Spans;
import dev.berth.sim.snapshot.SnapshotCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Plays scenarios, tells what they came to and writes the report: for all commands that do so. */
final class ScenarioRuns {
  private static final int MOST_RUNS = 10_000;

  private static final Option REPORT =
      new Option(
          "--report", "FILE", "The page to write (default: the scenario's name with .html, here).");
  private static final Option JSON =
      new Option("--json", "FILE", "Also writes everything as JSON.");
  private static final Option CSV =
      new Option("--csv", "FILE", "Also writes what became of each pod as CSV.");
  private static final Option SEED =
      new Option("--seed", "N", "The seed, instead of the scenario's.");
  static final Option RUNS =
      new Option(
          "--runs",
          "N",
          "Plays it N times, with the seed and those after it, and shows the spread (default: 1).");
  static final Option SET =
      new Option(
          "--set",
          "PATH=VALUE,...",
          "Changes the scenario: settings.node-eviction-rate=1,"
              + " cluster.workloads.web.replicas=10, cluster.nodes.web.count=50.");

  static final List<Option> OPTIONS = List.of(REPORT, JSON, CSV, SEED, RUNS, SET);

  private ScenarioRuns() {}

  /**
   * Plays scenarios and writes one report of them.
   *
   * @return 1 if something that they expect does not hold
   */
  static int play(List<Scenario> scenarios, Arguments arguments, Console console) {
    int runs = arguments.number(RUNS.name(), 1, 1, MOST_RUNS);
    Path page = page(arguments, scenarios.getFirst());
    OutputFiles.check(REPORT, page);
    arguments.path(JSON.name()).ifPresent(file -> OutputFiles.check(JSON, file));
    arguments.path(CSV.name()).ifPresent(file -> OutputFiles.check(CSV, file));
    scenarios.getFirst().snapshot().map(SnapshotCluster::warnings).orElse(List.of()).stream()
        .map(warning -> "not seen: " + warning)
        .forEach(console.err()::println);
    for (Scenario scenario : scenarios) {
      String end = Spans.text(scenario.duration());
      scenario
          .afterTheEnd()
          .forEach(what ->
              console
                  .err()
                  .println("not played, since it is after the end (%s): %s".formatted(end, what)));
    }
    SimulateProgress progress = SimulateProgress.on(console);
    List<JsonObject> simulations = new ArrayList<>();
    List<JsonObject> summaries = new ArrayList<>();
    boolean holds = true;
    Optional<Recording> first = Optional.empty();
    for (Scenario scenario : scenarios) {
      for (int run = 0; run < runs; run++) {
        Scenario seeded = scenario.withSeed(scenario.seed() + run);
        Recording recording = play(seeded, progress);
        if (run == 0) {
          simulations.add(ReportData.of(seeded, recording));
          first = first.or(() -> Optional.of(recording));
          SimulateSummary.print(seeded, recording, console.out());
        }
        if (runs > 1) {
          summaries.add(RunSummary.of(seeded, recording));
        }
        holds &= Judgement.of(seeded, recording).stream().allMatch(Judgement::holds);
      }
    }
    save(page, HtmlReport.of(simulations, summaries));
    console.out().println("report: " + page);
    write(arguments, simulations, summaries, first.orElseThrow());
    return holds ? ExitCode.OK : ExitCode.FAILED;
  }

  /** The scenario with the seed that was asked for, if one was. */
  static Scenario seeded(Scenario scenario, Arguments arguments) {
    return arguments.has(SEED.name())
        ? scenario.withSeed(arguments.number(SEED.name(), 1, Integer.MIN_VALUE, Integer.MAX_VALUE))
        : scenario;
  }

  static Map<String, String> changes(Arguments arguments, Option option) {
    Map<String, String> changes = new TreeMap<>();
    for (String change : ScenarioChangeWords.split(arguments.text(option.name()).orElse(""))) {
      int equals = change.indexOf('=');
      if (equals < 1) {
        throw new UsageException(
            "%s must be PATH=VALUE, such as settings.node-eviction-rate=1, not \"%s\"."
                .formatted(option.name(), change));
      }
      changes.put(change.substring(0, equals), change.substring(equals + 1));
    }
    return changes;
  }

  private static Recording play(Scenario scenario, SimulateProgress progress) {
    try {
      return Simulation.run(
          scenario,
          ScenarioSettings.read(scenario),
          (elapsed, whole) -> progress.at(scenario, elapsed, whole));
    } finally {
      progress.clear();
    }
  }

  /** Where the page goes. */
  private static Path page(Arguments arguments, Scenario first) {
    return arguments
        .path(REPORT.name())
        .orElse(Path.of(first.name().replaceAll("[^A-Za-z0-9._-]+", "-") + ".html"));
  }

  private static void write(
      Arguments arguments,
      List<JsonObject> simulations,
      List<JsonObject> summaries,
      Recording first) {
    arguments
        .path(JSON.name())
        .ifPresent(file ->
            save(
                file,
                JsonWriter.toText(
                    new JsonObject.Builder()
                        .put("simulations", JsonArray.copyOf(simulations))
                        .put("runs", JsonArray.copyOf(summaries))
                        .build())));
    arguments.path(CSV.name()).ifPresent(file -> save(file, CsvReport.of(first)));
  }

  private static void save(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
