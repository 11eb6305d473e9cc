package dev.berth.cli.standalone;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.CloudOptions;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.StandaloneProcess;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.component.Components;
import dev.berth.controllers.CloudControllerName;
import dev.berth.controllers.CloudControllers;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.cloud.CloudSettings;
import dev.berth.model.resource.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the controllers of a cloud's nodes by themselves, for any Kubernetes API server. */
public final class CloudControllersCommand implements Command {
  private static final String NAME = "cloud-controllers";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final ObjectName LEASE = new ObjectName("kube-system", "cloud-controller-manager");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs a cloud's controllers for any Kubernetes API server.",
        "They initialize nodes of kubelets with --cloud-provider=external, keep their addresses,"
            + " delete nodes whose machines are gone and taint those whose machines are stopped."
            + " berth up runs them with --cloud-config.",
        "Of several instances, one leads: whoever holds the lease "
            + LEASE
            + ", a cloud-controller-manager included.");
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
    options.addAll(CloudOptions.OPTIONS);
    return Running.with(options);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    Set<CloudControllerName> names = CloudOptions.controllers(arguments);
    CloudSettings settings = CloudOptions.read(arguments);
    Connection connection = ClusterOptions.connection(arguments, Optional.empty());
    try (StandaloneProcess process =
        StandaloneProcess.start(NAME, arguments, console, connection)) {
      process.runControllers(
          arguments, LEASE, (components, parts) -> run(components, parts, names, settings));
      return process.untilStopped("cloud controllers", "Stopped.");
    }
  }

  private static void run(
      Components components,
      Controllers.Parts parts,
      Set<CloudControllerName> names,
      CloudSettings settings) {
    CloudControllers.run(components, parts, names, settings);
    LOG.atInfo().addKeyValue("controllers", names.size()).log("started");
  }
}
