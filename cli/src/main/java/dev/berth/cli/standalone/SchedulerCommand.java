package dev.berth.cli.standalone;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.GateOption;
import dev.berth.cli.options.SchedulerFile;
import dev.berth.cli.running.Leadership;
import dev.berth.cli.running.MetricsServer;
import dev.berth.cli.running.Running;
import dev.berth.client.LeaderElection;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.LeaderElectionSettings;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs a scheduler by itself, for any Kubernetes API server. */
public final class SchedulerCommand implements Command {
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
    WallTime time = new WallTime(failure -> err.println("berth: " + failure));
    Optional<MetricsServer> served = Running.serveMetrics(arguments, metrics);
    HttpApi api = new HttpApi(connection, time, "scheduler");
    String host = ClusterOptions.host();
    String identity = host + "_" + Long.toHexString(time.random("identity").nextLong());
    Scheduler scheduler =
        Scheduler.start(
            new Scheduler.Parts(
                api,
                time,
                metrics,
                configuration,
                host,
                warning -> err.println("berth: " + warning)));
    out.println("Berth schedules for " + connection.server() + ".");
    Runnable giveBack = () -> {};
    if (elect) {
      LeaderElectionSettings settings = configuration.leaderElection();
      LeaderElection.Config config =
          new LeaderElection.Config(
              new ObjectName(settings.resourceNamespace(), settings.resourceName()),
              identity,
              settings.leaseDuration(),
              settings.renewDeadline(),
              settings.retryPeriod());
      Leadership leadership = new Leadership(config, console, scheduler::lead);
      LeaderElection election = leadership.run(api, time, scheduler.loop());
      giveBack = () -> leadership.giveBack(election, scheduler.loop());
    } else {
      scheduler.lead();
    }
    Runnable atTheEnd = giveBack;
    Running.atTheEnd(
        out,
        () -> {
          atTheEnd.run();
          scheduler.close();
          time.close();
          api.close();
          served.ifPresent(MetricsServer::close);
        },
        "Stopped.");
    return Running.untilStopped(out);
  }
}
