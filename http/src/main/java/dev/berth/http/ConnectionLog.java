package dev.berth.http;

import dev.berth.time.Time;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Logs connections that failed or were too many, and passes on all other failures. */
public final class ConnectionLog implements FailureListener {
  private final FailureListener others;
  private final LogRate rate;
  private final LogRate refusals;

  /**
   * @param others is told of bugs
   */
  public ConnectionLog(FailureListener others, Time time) {
    this.others = others;
    this.rate = new LogRate(time);
    this.refusals = new LogRate(time);
  }

  @Override
  public void onHandlerFailure(String method, String path, Throwable cause) {
    others.onHandlerFailure(method, path, cause);
  }

  /** Whatever the client did is its own mistake, so there is no stack trace. */
  @Override
  public void onHandshakeFailure(SocketAddress client, Throwable cause) {
    rate.info(
        "TLS handshake failed",
        line ->
            line.addKeyValue("client", address(client))
                .addKeyValue(
                    "reason",
                    cause.getMessage() == null
                        ? cause.getClass().getSimpleName()
                        : cause.getMessage()));
  }

  @Override
  public void onConnectionRefused(SocketAddress client, String reason) {
    refusals.info(
        "connection closed",
        line -> line.addKeyValue("client", address(client)).addKeyValue("reason", reason));
  }

  /**
   * Without the port, which tells nobody anything, and never by a name, which would be asked for.
   */
  public static String address(SocketAddress address) {
    return address instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress().getHostAddress()
        : String.valueOf(address);
  }
}
