package dev.berth.apiserver.observe;

import dev.berth.apiserver.http.FailureListener;
import dev.berth.time.Time;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs connections that came to nothing, and passes on what else goes wrong. */
public final class ConnectionLog implements FailureListener {
  private static final Logger LOG = LoggerFactory.getLogger("http");
  private static final int MOST = 10;
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final FailureListener others;
  private final Time time;
  private final LogRate rate = new LogRate(MOST, PERIOD);

  /**
   * @param others is told of bugs
   */
  public ConnectionLog(FailureListener others, Time time) {
    this.others = others;
    this.time = time;
  }

  @Override
  public void onHandlerFailure(String method, String path, Throwable cause) {
    others.onHandlerFailure(method, path, cause);
  }

  /** Whatever the client did is its own mistake, so there is no stack trace. */
  @Override
  public void onHandshakeFailure(SocketAddress client, Throwable cause) {
    OptionalLong dropped = rate.admit(time.now());
    if (dropped.isEmpty()) {
      return;
    }
    LoggingEventBuilder line =
        LOG.atInfo()
            .addKeyValue("client", RequestLog.address(client))
            .addKeyValue(
                "reason",
                cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    if (dropped.getAsLong() > 0) {
      line.addKeyValue("not-logged-before", dropped.getAsLong());
    }
    line.log("TLS handshake failed");
  }
}
