package dev.berth.cli.proxy;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.StandaloneProcess;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Puts the servers of a cluster behind one address of this machine. */
public final class ProxyCommand implements Command {
  static final String NAME = "proxy";

  private static final int DEFAULT_PORT = 6_444;
  private static final int LAST_PORT = 65_535;

  private static final Option PORT =
      new Option(
          "--port",
          "N",
          "Where to listen on 127.0.0.1; 0 for any port that is free (default: "
              + DEFAULT_PORT
              + ").");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> description() {
    return List.of(
        "Balances connections from this machine over the servers of a cluster.",
        "kubectl and other clients know one server: give them https://127.0.0.1:"
            + DEFAULT_PORT
            + ", with the certificates that they have. Connections are passed on as they are, in"
            + " turn to servers that are ready.",
        "The servers are those of the kubeconfig: its server, and those of the extension"
            + " berth.dev/servers of its cluster.");
  }

  @Override
  public List<Option> options() {
    return Running.with(
        List.of(
            ClusterOptions.KUBECONFIG, ClusterOptions.CONTEXT, PORT, StandaloneProcess.METRICS));
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    int port = arguments.number(PORT.name(), DEFAULT_PORT, 0, LAST_PORT);
    Connection connection = ClusterOptions.connection(arguments, Optional.empty());
    List<ProxiedServer> servers = connection.servers().stream().map(ProxiedServer::new).toList();
    try (StandaloneProcess process = StandaloneProcess.start(NAME, arguments, console, connection);
        LoopbackProxy proxy = LoopbackProxy.start(port, servers)) {
      // Without another server, clients are better off with one that is not ready.
      for (ProxiedServer server : servers.size() > 1 ? servers : List.<ProxiedServer>of()) {
        HttpApi api = new HttpApi(only(connection, server.address()), process.time(), NAME);
        ReadinessChecks.start(server, patience -> Readiness.of(api, patience), process.time());
      }
      return process.untilStopped(
          "a proxy at https://127.0.0.1:%d".formatted(proxy.port()), "Stopped.");
    }
  }

  private static Connection only(Connection connection, URI server) {
    return new Connection(
        List.of(server), connection.trust(), connection.identity(), connection.namespace());
  }
}
