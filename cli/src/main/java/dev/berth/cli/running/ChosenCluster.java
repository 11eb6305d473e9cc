package dev.berth.cli.running;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.DataOption;
import dev.berth.client.kubeconfig.Connection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The cluster that somebody at a terminal means: the one of {@code --kubeconfig}; or else of {@code
 * $KUBECONFIG}, as kubectl has it, unless {@code --data} is given; or else the one that {@code
 * berth up} has started.
 */
public final class ChosenCluster {
  private static final String ENVIRONMENT = "KUBECONFIG";

  private ChosenCluster() {}

  public static Connection connection(Arguments arguments) {
    String environment = System.getenv().getOrDefault(ENVIRONMENT, "");
    boolean isNamed = !environment.isEmpty() && !arguments.has(DataOption.OPTION.name());
    Path own = ServerFile.kubeconfigIn(DataOption.directory(arguments));
    if (!isNamed && !arguments.has(ClusterOptions.KUBECONFIG.name()) && !Files.exists(own)) {
      throw new UsageException(
          "Which cluster? Give %s=FILE, or start one with \"berth up\": there is no %s."
              .formatted(ClusterOptions.KUBECONFIG.name(), own));
    }
    return ClusterOptions.connection(arguments, Optional.of(isNamed ? Path.of(environment) : own));
  }
}
