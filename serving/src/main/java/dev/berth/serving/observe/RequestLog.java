package dev.berth.serving.observe;

import dev.berth.access.Action;
import dev.berth.http.ConnectionLog;
import dev.berth.http.LogRate;
import dev.berth.model.user.User;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Locale;

/**
 * Logs the requests that an operator wants to know of: slow ones, and those that failed
 * authentication. Never a query, a header or a body: each can hold secrets.
 */
public final class RequestLog implements RequestObserver {
  /** As long as upstream's traces allow. */
  static final Duration SLOW = Duration.ofMillis(500);

  private static final String DEBUG = "/debug/";
  private static final int UNAUTHORIZED = 401;

  private final Time time;
  private final LogRate slow;
  private final LogRate refused;

  public RequestLog(Time time) {
    this.time = time;
    this.slow = new LogRate(time);
    this.refused = new LogRate(time);
  }

  @Override
  public void ended(Observed request) {
    Duration took = time.since(request.receivedMonotonic());
    if (request.status() == UNAUTHORIZED) {
      log(refused, request, took, "authentication failed");
    } else if (took.compareTo(SLOW) >= 0 && !mayTakeLong(request)) {
      log(slow, request, took, "slow request");
    }
  }

  /** Watches, and what is asked to take its time. */
  private static boolean mayTakeLong(Observed request) {
    return request.isLongRunning() || request.path().startsWith(DEBUG);
  }

  private static void log(LogRate rate, Observed request, Duration took, String message) {
    rate.info(
        message,
        line ->
            line.addKeyValue("verb", verb(request))
                .addKeyValue("path", request.path())
                .addKeyValue("code", request.status())
                .addKeyValue("user", request.user().map(User::name).orElse("unknown"))
                .addKeyValue("client", ConnectionLog.address(request.remoteAddress()))
                .addKeyValue("took", took.toMillis() + "ms")
                .addKeyValue("audit-id", request.auditId()));
  }

  private static String verb(Observed request) {
    return request.action().map(Action::verb).orElse(request.method().toLowerCase(Locale.ROOT));
  }
}
