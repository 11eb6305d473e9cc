package dev.berth.cli.standalone;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.ControllerOptions;
import dev.berth.cli.options.GateOption;
import dev.berth.cli.running.Leadership;
import dev.berth.cli.running.MetricsServer;
import dev.berth.cli.running.Running;
import dev.berth.client.LeaderElection;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.time.Loop;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs the controllers by themselves, for any Kubernetes API server. */
public final class ControllersCommand implements Command {
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
    WallTime time = new WallTime(failure -> err.println("berth: " + failure));
    Optional<MetricsServer> served = Running.serveMetrics(arguments, metrics);
    HttpApi api = new HttpApi(connection, time, "controllers");
    Controllers.Parts parts =
        new Controllers.Parts(
            _ -> api,
            api,
            time,
            metrics,
            ClusterOptions.host(),
            warning -> err.println("berth: " + warning));
    AtomicReference<@Nullable Controllers> running = new AtomicReference<>();
    Runnable begin =
        () -> {
          Controllers controllers = Controllers.start(parts, settings);
          running.set(controllers);
          out.printf("Runs %d controllers.%n", controllers.size());
        };
    out.println("Berth's controllers work for " + connection.server() + ".");
    Runnable giveBack = () -> {};
    if (arguments.has(ALONE.name())) {
      begin.run();
    } else {
      String identity =
          ClusterOptions.host() + "_" + Long.toHexString(time.random("identity").nextLong());
      Leadership leadership =
          new Leadership(LeaderElection.Config.standard(LEASE, identity), console, begin);
      Loop loop = time.start("leader-election");
      LeaderElection election = leadership.run(api, time, loop);
      giveBack = () -> leadership.giveBack(election, loop);
    }
    Runnable atTheEnd = giveBack;
    Running.atTheEnd(
        out,
        () -> {
          Controllers controllers = running.get();
          if (controllers != null) {
            controllers.close();
          }
          atTheEnd.run();
          time.close();
          api.close();
          served.ifPresent(MetricsServer::close);
        },
        "Stopped.");
    return Running.untilStopped(out);
  }
}
