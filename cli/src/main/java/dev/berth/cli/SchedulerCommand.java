package dev.berth.cli;

import dev.berth.client.LeaderElected;
import dev.berth.client.LeaderElection;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.component.Supervisor;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.LeaderElectionSettings;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.time.FatalError;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs a scheduler by itself, for any Kubernetes API server. */
final class SchedulerCommand implements Command {
  private static final Option CONFIG =
      new Option(
          "--config",
          "FILE",
          "A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) with profiles, plugins and"
              + " leader election (default: upstream's defaults).");
  private static final Option ALONE =
      Option.flag(
          "--no-leader-election",
          "Schedules at once, without asking whether another scheduler does. Two that do so would"
              + " both fill the same nodes.");

  @Override
  public String name() {
    return "scheduler";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs a scheduler for any Kubernetes API server.",
        "berth up has one in it; this is for other clusters.");
  }

  @Override
  public List<Option> options() {
    return List.of(
        ClusterOptions.KUBECONFIG,
        ClusterOptions.CONTEXT,
        CONFIG,
        ALONE,
        Running.METRICS,
        GateOption.OPTION);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    SchedulerConfiguration configuration =
        SchedulerFile.read(arguments.path(CONFIG.name()), err)
            .with(GateOption.read(arguments).tolerations());
    Connection connection =
        ClusterOptions.connection(
            arguments,
            configuration.kubeconfig().isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(configuration.kubeconfig())));
    boolean elect = configuration.leaderElection().leaderElect() && !arguments.has(ALONE.name());
    Metrics metrics = new Metrics();
    WallTime time = new WallTime(FatalError::end);
    Supervisor supervisor = new Supervisor(time, metrics);
    Optional<MetricsServer> served = Running.serveMetrics(arguments, metrics, supervisor.health());
    HttpApi api = new HttpApi(connection, time, "scheduler");
    String host = ClusterOptions.host();
    Function<Time, Scheduler.Parts> parts =
        own ->
            new Scheduler.Parts(
                api,
                own,
                metrics,
                configuration,
                host,
                warning -> err.println("berth: " + warning));
    out.println("Berth schedules for " + connection.server() + ".");
    if (elect) {
      String identity = host + "_" + Long.toHexString(time.random("identity").nextLong());
      LeaderElection.Config config = config(configuration.leaderElection(), identity);
      LeaderElected.run(
          supervisor,
          api,
          config,
          scope -> StandbyScheduler.prepare(scope, parts),
          new Leadership(config, console));
    } else {
      supervisor.run(
          StandbyScheduler.NAME, scope -> StandbyScheduler.leading(parts.apply(scope.time())));
    }
    Running.atTheEnd(
        out,
        () -> {
          Running.stop(supervisor);
          time.close();
          api.close();
          served.ifPresent(MetricsServer::close);
        },
        "Stopped.");
    return Running.untilStopped(out);
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
