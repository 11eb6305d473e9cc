package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.InCluster;
import dev.berth.client.kubeconfig.Kubeconfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The options that say which cluster a component works for, and as whom. */
public final class ClusterOptions {
  public static final Option KUBECONFIG =
      new Option(
          "--kubeconfig",
          "FILE",
          "The kubeconfig of the API server to work for (default: the one that the configuration"
              + " file names, or else the service account of the pod that this runs in).");
  public static final Option CONTEXT =
      new Option(
          "--context",
          "NAME",
          "The context of the kubeconfig to use (default: its current context).");

  private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

  private ClusterOptions() {}

  /**
   * What the options say.
   *
   * @param otherwise the kubeconfig if they do not say which
   */
  public static Connection connection(Arguments arguments, Optional<Path> otherwise) {
    Optional<Path> file = arguments.path(KUBECONFIG.name()).or(() -> otherwise);
    if (file.isPresent()) {
      Kubeconfig kubeconfig = Kubeconfig.read(file.get());
      return arguments
          .text(CONTEXT.name())
          .map(kubeconfig::connection)
          .orElseGet(kubeconfig::connection);
    }
    if (InCluster.is(System.getenv())) {
      return InCluster.connection(System.getenv());
    }
    throw new UsageException(
        "Which cluster? Give --kubeconfig=FILE, or run this in a pod with a service account.");
  }

  /**
   * What tells components on different machines apart: the name that this machine has, as {@code
   * hostname} says it. Nobody needs to be able to resolve it.
   */
  public static String host() {
    try {
      if (Files.exists(KERNEL_HOSTNAME)) {
        return Files.readString(KERNEL_HOSTNAME).strip();
      }
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "localhost";
    }
  }
}
