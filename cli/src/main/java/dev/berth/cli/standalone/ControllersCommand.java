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
import dev.berth.component.Components;
import dev.berth.controllers.ControllerName;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.model.resource.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the controllers by themselves, for any Kubernetes API server. */
public final class ControllersCommand implements Command {
  private static final String NAME = "controllers";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

  /** Of those who run nothing that kube-controller-manager has, so that it may run beside them. */
  private static final ObjectName OWN_LEASE = new ObjectName("kube-system", "berth-controllers");

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
            + ", kube-controller-manager included.",
        "Who runs nodedrain-controller alone, which no other has, leads by the lease "
            + OWN_LEASE
            + ", beside a kube-controller-manager.");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(
                ClusterOptions.KUBECONFIG,
                ClusterOptions.CONTEXT,
                StandaloneProcess.ALONE,
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
      boolean onlyDrains = settings.run().equals(Set.of(ControllerName.NODE_DRAINS));
      process.runControllers(
          arguments,
          onlyDrains ? OWN_LEASE : LEASE,
          (components, parts) -> run(components, parts, settings));
      return process.untilStopped("controllers", "Stopped.");
    }
  }

  private static void run(
      Components components, Controllers.Parts parts, ControllerSettings settings) {
    Controllers.run(components, parts, settings);
    LOG.atInfo().addKeyValue("controllers", Controllers.names(settings).size()).log("started");
  }
}
