package dev.berth.agent.probe;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Reaches containers over the machine's network. For any thread. */
public final class NetworkConnections implements Connections {

  @Override
  public HttpAnswer httpGet(HttpGet page, Cutoff cutoff) {
    return HttpGets.get(page, cutoff);
  }

  @Override
  @SuppressWarnings("AddressSelection") // a pod is probed at one address
  public Outcome tcp(String host, int port, Cutoff cutoff) {
    try (Socket socket = new Socket()) {
      cutoff.opened(socket);
      socket.connect(new InetSocketAddress(host, port));
      return Outcome.success("");
    } catch (IOException e) {
      return Outcome.failure(
          "dial tcp %s:%d: %s"
              .formatted(
                  host, port, cutoff.isOver() ? "i/o timeout" : "connect: connection refused"));
    }
  }

  @Override
  public Outcome grpc(String host, int port, String service, Cutoff cutoff) {
    return GrpcHealth.check(host, port, service, cutoff);
  }
}
