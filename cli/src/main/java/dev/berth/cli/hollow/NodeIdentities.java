package dev.berth.cli.hollow;

import dev.berth.cli.arguments.UsageException;
import dev.berth.client.Api;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.Credential;
import dev.berth.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The server as each hollow node sees it: with a certificate in the node's name, and a connection
 * of its own, as real nodes have. Made when a node first needs it.
 */
final class NodeIdentities implements Function<String, Api>, AutoCloseable {
  private static final Duration VALIDITY = Duration.ofDays(365);
  private static final List<String> GROUPS = List.of("system:nodes");

  private final ClusterCa authority;
  private final Connection connection;
  private final Time time;
  private final Map<String, HttpApi> apis = new ConcurrentHashMap<>();

  private NodeIdentities(ClusterCa authority, Connection connection, Time time) {
    this.authority = authority;
    this.connection = connection;
    this.time = time;
  }

  /**
   * Identities that the authority of a cluster vouches for.
   *
   * @param directory where its key is
   * @param connection to the server, as somebody else
   */
  static NodeIdentities signedIn(Path directory, Connection connection, Time time) {
    if (!Files.exists(directory.resolve("ca.key"))) {
      throw new UsageException(
          "There is no ca.key in %s: name the pki folder of the cluster's data directory."
              .formatted(directory));
    }
    return new NodeIdentities(ClusterCa.open(directory, time.now()), connection, time);
  }

  @Override
  public Api apply(String node) {
    return apis.computeIfAbsent(node, this::connect);
  }

  private HttpApi connect(String node) {
    Credential credential =
        authority.issueClient("system:node:" + node, GROUPS, VALIDITY, time.now());
    Connection own =
        connection.as(
            new Connection.Identity.Certificate(
                List.of(credential.certificate()), credential.key()));
    return new HttpApi(own, time, "hollow");
  }

  @Override
  public void close() {
    apis.values().forEach(HttpApi::close);
  }
}
