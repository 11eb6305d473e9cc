package dev.berth.http;

import java.net.InetSocketAddress;

/**
 * The configuration of a server.
 *
 * @param address where to listen; port 0 picks a free one
 */
public record HttpConfig(
    InetSocketAddress address, ServerTls tls, HttpLimits limits, FailureListener failures) {
  public HttpConfig {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "The address %s to listen on is not known here: name one of this machine's."
              .formatted(address.getHostString()));
    }
  }
}
