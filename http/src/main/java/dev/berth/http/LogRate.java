package dev.berth.http;

import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Limits how often something is logged: some lines per period; the others are counted, so that a
 * client that fails a thousand times a second does not drown everything else.
 */
public final class LogRate {
  private static final Logger LOG = LoggerFactory.getLogger("http");
  private static final int MOST = 10;
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Time time;
  private Instant end = Instant.MIN;
  private int passed;
  private long dropped;

  public LogRate(Time time) {
    this.time = time;
  }

  /**
   * Logs a line, unless there were too many.
   *
   * @param values adds what it is about
   */
  public void info(String message, UnaryOperator<LoggingEventBuilder> values) {
    OptionalLong before = admit(time.monotonicNow());
    if (before.isPresent()) {
      LoggingEventBuilder line = values.apply(LOG.atInfo());
      if (before.getAsLong() > 0) {
        line = line.addKeyValue("not-logged-before", before.getAsLong());
      }
      line.log(message);
    }
  }

  /** Whether to log now; if so, how many were not logged since the last one that was. */
  private synchronized OptionalLong admit(Instant now) {
    if (!now.isBefore(end)) {
      end = now.plus(PERIOD);
      passed = 0;
    }
    if (passed == MOST) {
      dropped++;
      return OptionalLong.empty();
    }
    passed++;
    long before = dropped;
    dropped = 0;
    return OptionalLong.of(before);
  }
}
