package dev.berth.cli;

import dev.berth.client.LeaderElected;
import dev.berth.client.LeaderElection;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.component.Components;
import dev.berth.component.Supervisor;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the controllers by themselves, for any Kubernetes API server. */
final class ControllersCommand implements Command {
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

  private static final Option ALONE =
      Option.flag(
          "--no-leader-election",
          "Begins at once, without asking whether others do the same. Two that do so get in each"
              + " other's way.");

  @Override
  public String name() {
    return "controllers";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs the controllers for any Kubernetes API server.",
        "berth up has them in it; this is for other clusters. Of several that run, and"
            + " kube-controller-manager among them, one leads, by the lease "
            + LEASE
            + ".");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(ClusterOptions.KUBECONFIG, ClusterOptions.CONTEXT, ALONE, Running.METRICS));
    options.addAll(ControllerOptions.options());
    options.add(GateOption.OPTION);
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    ControllerSettings settings =
        ControllerOptions.read(arguments, GateOption.read(arguments), List.of());
    Connection connection = ClusterOptions.connection(arguments, Optional.empty());
    Metrics metrics = new Metrics();
    WallTime time = new WallTime(FatalError::end);
    Supervisor supervisor = new Supervisor(time, metrics);
    Optional<MetricsServer> served = Running.serveMetrics(arguments, metrics, supervisor.health());
    HttpApi api = new HttpApi(connection, time, "controllers");
    Controllers.Parts parts =
        new Controllers.Parts(
            _ -> api,
            api,
            metrics,
            ClusterOptions.host(),
            warning -> err.println("berth: " + warning));
    out.println("Berth's controllers work for " + connection.server() + ".");
    if (arguments.has(ALONE.name())) {
      run(supervisor, parts, settings, out);
    } else {
      String identity =
          ClusterOptions.host() + "_" + Long.toHexString(time.random("identity").nextLong());
      LeaderElection.Config config = LeaderElection.Config.standard(LEASE, identity);
      LeaderElected.run(
          supervisor,
          api,
          config,
          scope -> () -> run(scope, parts, settings, out),
          new Leadership(config, console));
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

  private static void run(
      Components components,
      Controllers.Parts parts,
      ControllerSettings settings,
      PrintWriter out) {
    Controllers.run(components, parts, settings);
    out.printf("Runs %d controllers.%n", Controllers.names(settings).size());
  }
}
