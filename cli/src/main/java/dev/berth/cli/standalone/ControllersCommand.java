package dev.berth.cli.standalone;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.ControllerOptions;
import dev.berth.cli.options.GateOption;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.StandaloneProcess;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.component.Components;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.model.resource.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the controllers by themselves, for any Kubernetes API server. */
public final class ControllersCommand implements Command {
  private static final String NAME = "controllers";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

  private static final Option ALONE =
      Option.flag(
          "--no-leader-election",
          "Starts at once, whoever else leads. Two that run this way get in each other's way.");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs the controllers for any Kubernetes API server.",
        "berth up runs them already; this is for other clusters. Of several instances, one leads:"
            + " whoever holds the lease "
            + LEASE
            + ", kube-controller-manager included.");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(
                ClusterOptions.KUBECONFIG,
                ClusterOptions.CONTEXT,
                ALONE,
                StandaloneProcess.METRICS));
    options.addAll(ControllerOptions.options());
    options.add(GateOption.OPTION);
    return Running.with(options);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    ControllerSettings settings =
        ControllerOptions.read(arguments, GateOption.read(arguments), List.of(), Optional.empty());
    Connection connection = ClusterOptions.connection(arguments, Optional.empty());
    try (StandaloneProcess process =
        StandaloneProcess.start(NAME, arguments, console, connection)) {
      Controllers.Parts parts =
          new Controllers.Parts(_ -> process.api(), process.api(), process.metrics());
      if (arguments.has(ALONE.name())) {
        run(process.supervisor(), parts, settings);
      } else {
        process.runElected(
            identity -> LeaderElection.Config.standard(LEASE, identity),
            scope -> () -> run(scope, parts, settings));
      }
      return process.untilStopped("controllers", "Stopped.");
    }
  }

  private static void run(
      Components components, Controllers.Parts parts, ControllerSettings settings) {
    Controllers.run(components, parts, settings);
    LOG.atInfo().addKeyValue("controllers", Controllers.names(settings).size()).log("started");
  }
}
