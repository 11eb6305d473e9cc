package dev.berth.agent.probe;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Ways to reach a container over the network. All methods block; for any thread. */
public interface Connections extends AutoCloseable {

  /** A header of a request. */
  record Header(String name, String value) {}

  /**
   * What a server answered.
   *
   * @param status 0 if it did not
   * @param message why it did not
   */
  record HttpAnswer(int status, String message) {}

  /**
   * Asks for a page.
   *
   * @param timeout zero for as long as it takes, here and below
   */
  HttpAnswer httpGet(URI address, List<Header> headers, Duration timeout);

  /** Opens a connection, and closes it. */
  Outcome tcp(String host, int port, Duration timeout);

  /**
   * Asks a gRPC server for its health.
   *
   * @param service empty for the server as a whole
   */
  Outcome grpc(String host, int port, String service, Duration timeout);

  @Override
  void close();
}
