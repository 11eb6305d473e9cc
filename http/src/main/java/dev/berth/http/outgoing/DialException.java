package dev.berth.http.outgoing;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/**
 * No connection to another server came about; nothing was asked. The message is the one that Go's
 * programs give, which operators know.
 */
public final class DialException extends IOException {
  private static final long serialVersionUID = 1;

  DialException(Destination destination, IOException cause) {
    super("dial tcp %s: %s".formatted(destination.authority(), why(destination, cause)), cause);
  }

  private static String why(Destination destination, IOException cause) {
    return switch (cause) {
      case NoRouteToHostException _ -> "connect: no route to host";
      case ConnectException e when String.valueOf(e.getMessage()).contains("refused") ->
          "connect: connection refused";
      case SocketTimeoutException _ -> "i/o timeout";
      case UnknownHostException _ -> "lookup: no such host";
      case SSLException e -> TlsFailure.of(e, destination.host());
      default -> String.valueOf(cause.getMessage());
    };
  }
}
