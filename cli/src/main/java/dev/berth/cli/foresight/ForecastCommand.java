package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.SchedulerFile;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.explain.LifecycleFlags;
import dev.berth.sim.forecast.Forecast;
import dev.berth.sim.forecast.ForecastSettings;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Says what a taint, a cordon, a drain or a loss would do, before it is done. */
public final class ForecastCommand implements Command {
  private static final Option SET =
      new Option(
          "--set",
          "NAME=VALUE,...",
          "Settings of the cluster's controllers that cannot be seen, by kube-controller-manager's"
              + " flags: node-monitor-grace-period=50s, node-eviction-rate=0.1, ...");
  private static final Option START =
      new Option("--pod-start", "DURATION", "How long a pod takes to become ready (default: 10s).");
  private static final Option STOP =
      new Option(
          "--pod-stop",
          "DURATION",
          "How long a pod takes to end (default: all of its grace period).");
  private static final Option HORIZON =
      new Option("--horizon", "DURATION", "How far to look ahead (default: 6h).");
  private static final Option WATCH =
      Option.flag("--watch", "Forecasts again whenever the cluster changes, until it is stopped.");

  @Override
  public String name() {
    return "forecast";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Forecasts what a taint, a cordon, a drain or a loss of nodes would do, in any cluster.",
        "berth forecast taint NODES KEY[=VALUE]:EFFECT | cordon NODES | drain NODES | lose node NODES"
            + " | lose zone ZONE | lose percent PERCENT. NODES are names with commas between them."
            + " Nothing is changed: the cluster is only read. Shown is which pods leave and when,"
            + " which stay and why, which a budget holds back, where each would go or why it would"
            + " stay pending, and which workloads lose how much for how long.");
  }

  @Override
  public List<String> parameters() {
    return List.of("taint|cordon|drain|lose");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("NODES|node|zone|percent", "TAINT|NODES|ZONE|PERCENT");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(ClusterSource.OPTIONS);
    options.addAll(List.of(SET, START, STOP, HORIZON, ExplainCommand.CONFIG, Output.OPTION, WATCH));
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    ForecastTarget.check(arguments.parameters());
    Output output = Output.of(arguments);
    Map<String, String> flags = flags(arguments);
    LifecycleFlags.read(flags);
    Times times = Times.of(arguments);
    boolean watches = arguments.has(WATCH.name());
    if (watches) {
      ClusterSource.mustRun(arguments, WATCH.name());
    }
    Forecasts forecasts = new Forecasts();
    if (!watches) {
      forecasts.tell(arguments, output, flags, times, console);
      return ExitCode.OK;
    }
    while (true) {
      try (ClusterChanges changes = new ClusterChanges(arguments)) {
        forecasts.tell(arguments, output, flags, times, console);
        changes.await();
      }
    }
  }

  /** One after the other, of which only those are told that differ from the one before. */
  private static final class Forecasts {
    private JsonObject shown = JsonObject.EMPTY;
    private List<String> unseen = List.of();

    void tell(
        Arguments arguments, Output output, Map<String, String> flags, Times times, Console console)
        throws InterruptedException {
      ClusterSnapshot snapshot = ClusterSource.read(arguments);
      if (!snapshot.unseen().equals(unseen)) {
        unseen = snapshot.unseen();
        ClusterSource.tellUnseen(snapshot, console);
      }
      JsonObject forecast = forecast(arguments, snapshot, flags, times, console);
      JsonObject now = forecast.without("asOf");
      if (!now.equals(shown)) {
        output.print(forecast, console, ForecastText::print);
        shown = now;
      }
    }
  }

  /** How long things are taken to last. */
  private record Times(Duration start, Optional<Duration> stop, Duration horizon) {
    static Times of(Arguments arguments) {
      return new Times(
          FlagValues.durationOrZero(arguments, START, ForecastSettings.DEFAULT.podStart()),
          arguments.has(STOP.name())
              ? Optional.of(FlagValues.durationOrZero(arguments, STOP, Duration.ZERO))
              : Optional.empty(),
          FlagValues.duration(arguments, HORIZON, ForecastSettings.DEFAULT.horizon()));
    }
  }

  private static JsonObject forecast(
      Arguments arguments,
      ClusterSnapshot snapshot,
      Map<String, String> given,
      Times times,
      Console console) {
    Map<String, String> flags = new TreeMap<>(snapshot.settings());
    flags.putAll(given);
    ForecastSettings settings =
        new ForecastSettings(
            LifecycleFlags.read(flags),
            SchedulerFile.read(arguments.path(ExplainCommand.CONFIG.name()), console.err()),
            times.start(),
            times.stop(),
            times.horizon());
    return Forecast.of(
        snapshot,
        ForecastTarget.read(arguments.parameters(), snapshot),
        settings,
        ClusterSource.chance());
  }

  private static Map<String, String> flags(Arguments arguments) {
    Map<String, String> flags = new TreeMap<>();
    for (String flag : arguments.list(SET.name())) {
      int equals = flag.indexOf('=');
      if (equals < 1) {
        throw new UsageException(
            "--set must be NAME=VALUE, such as node-monitor-grace-period=50s, not \"%s\"."
                .formatted(flag));
      }
      String name = flag.substring(0, equals);
      if (!LifecycleFlags.NAMES.contains(name)) {
        throw new UsageException(
            "--set knows no %s, but %s.%s"
                .formatted(
                    name,
                    String.join(", ", LifecycleFlags.NAMES),
                    Suggestion.of(name, LifecycleFlags.NAMES)));
      }
      flags.put(name, flag.substring(equals + 1));
    }
    return flags;
  }
}
