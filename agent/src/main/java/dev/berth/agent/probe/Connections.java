package dev.berth.agent.probe;

/**
 * Ways to reach a container over the network. All methods block, until their cutoff ends them at
 * the latest; for any thread.
 */
public interface Connections {

  /** Asks for a page. */
  HttpAnswer httpGet(HttpGet page, Cutoff cutoff);

  /** Opens a connection, and closes it. */
  Outcome tcp(String host, int port, Cutoff cutoff);

  /**
   * Asks a gRPC server for its health.
   *
   * @param service empty for the server as a whole
   */
  Outcome grpc(String host, int port, String service, Cutoff cutoff);
}
