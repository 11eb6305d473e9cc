package dev.berth.cli.node;

import dev.berth.agent.config.AgentSettings;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether and how {@code berth up} makes this machine a node. */
public final class UpNodeOptions {
  private static final Option NODE =
      Option.flag("--node", "Makes this machine a node although there are hollow ones.");
  private static final Option NO_NODE =
      Option.flag("--no-node", "Does not make this machine a node.");
  private static final Option STOP_PODS =
      Option.flag(
          "--stop-pods",
          "Ends the pods of this machine when the server stops; else they go on, and the next start"
              + " finds them again.");
  private static final Option CONFIG =
      new Option(
          "--node-config", "FILE", "A KubeletConfiguration (kubelet.config.k8s.io/v1beta1).");

  private UpNodeOptions() {}

  public static List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(NODE, NO_NODE, STOP_PODS, CONFIG));
    options.addAll(NodeOptions.OF_THE_NODE);
    return options;
  }

  /** Whether the pods of this machine end with the server. */
  public static boolean stopsPods(Arguments arguments) {
    return arguments.has(STOP_PODS.name());
  }

  /** Whether this machine is to be a node. */
  public static boolean isWanted(Arguments arguments, boolean hasHollowNodes) {
    if (arguments.has(NODE.name()) && arguments.has(NO_NODE.name())) {
      throw new UsageException(
          "%s says the opposite of %s.".formatted(NODE.name(), NO_NODE.name()));
    }
    boolean isWanted =
        arguments.has(NODE.name()) || !(arguments.has(NO_NODE.name()) || hasHollowNodes);
    if (!isWanted) {
      List<Option> idle = new ArrayList<>(NodeOptions.OF_THE_NODE);
      idle.add(CONFIG);
      for (Option option : idle) {
        if (arguments.has(option.name())) {
          throw new UsageException(
              "%s has no effect, because this machine is no node here%s."
                  .formatted(option.name(), hasHollowNodes ? ": add " + NODE.name() : ""));
        }
      }
    }
    return isWanted;
  }

  /**
   * What they say.
   *
   * @param root where the agent keeps its state
   */
  public static AgentSettings read(Arguments arguments, Path root, PrintWriter warnings) {
    AgentSettings usual = NodeOptions.usual(arguments, root);
    // A laptop that swaps is a node all the same; whoever wants a kubelet's default says so.
    AgentSettings settings =
        NodeOptions.read(
            arguments,
            arguments.path(CONFIG.name()),
            Optional.empty(),
            usual.with(usual.pods().withFailingSwap(false)),
            warnings);
    return isFree(settings.port().number()) ? settings : settings.with(anyPort(settings.port()));
  }

  /** A cluster for a test beside another one does without the usual port. */
  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("0.0.0.0"))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static AgentSettings.Port anyPort(AgentSettings.Port port) {
    return new AgentSettings.Port(
        port.address(),
        0,
        port.certificateFile(),
        port.keyFile(),
        port.clientCaFile(),
        port.authenticatedTtl(),
        port.authorizedTtl(),
        port.unauthorizedTtl(),
        port.debugging(),
        port.systemLogs());
  }
}
