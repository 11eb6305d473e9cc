package dev.berth.cli.standalone;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.GateOption;
import dev.berth.cli.options.SchedulerFile;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.StandaloneProcess;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.StandbyScheduler;
import dev.berth.scheduler.profile.LeaderElectionSettings;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.time.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs a scheduler by itself, for any Kubernetes API server. */
public final class SchedulerCommand implements Command {
  private static final String NAME = "scheduler";
  private static final Option CONFIG =
      new Option(
          "--config",
          "FILE",
          "A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) with profiles, plugins and"
              + " leader election (default: upstream's defaults).");
  private static final Option ALONE =
      Option.flag(
          "--no-leader-election",
          "Starts scheduling at once, whoever else leads. Two that run this way put pods on the same"
              + " nodes without knowing of each other.");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs a scheduler for any Kubernetes API server.",
        "berth up runs one already; this is for other clusters.");
  }

  @Override
  public List<Option> options() {
    return Running.with(
        List.of(
            ClusterOptions.KUBECONFIG,
            ClusterOptions.CONTEXT,
            CONFIG,
            ALONE,
            StandaloneProcess.METRICS,
            GateOption.OPTION));
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    SchedulerConfiguration configuration =
        SchedulerFile.read(arguments.path(CONFIG.name()), console.err())
            .with(GateOption.read(arguments));
    Connection connection =
        ClusterOptions.connection(
            arguments,
            configuration.kubeconfig().isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(configuration.kubeconfig())));
    try (StandaloneProcess process =
        StandaloneProcess.start(NAME, arguments, console, connection)) {
      Function<Time, Scheduler.Parts> parts =
          time ->
              new Scheduler.Parts(
                  process.api(), time, process.metrics(), configuration, ClusterOptions.host());
      if (configuration.leaderElection().leaderElect() && !arguments.has(ALONE.name())) {
        process.runElected(
            identity -> config(configuration.leaderElection(), identity),
            (scope, leader) ->
                StandbyScheduler.prepare(scope, time -> parts.apply(time).as(leader)));
      } else {
        process
            .supervisor()
            .run(
                StandbyScheduler.NAME,
                scope -> StandbyScheduler.leading(parts.apply(scope.time())));
      }
      return process.untilStopped("the scheduler", "Stopped.");
    }
  }

  private static LeaderElection.Config config(LeaderElectionSettings settings, String identity) {
    return new LeaderElection.Config(
        new ObjectName(settings.resourceNamespace(), settings.resourceName()),
        identity,
        settings.leaseDuration(),
        settings.renewDeadline(),
        settings.retryPeriod());
  }
}
