package dev.berth.cli.proxy;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a server twice a second whether it is ready. One that stops gets no new connections from the
 * first time on that it says so; those that it has are its own to end, once it has answered what it
 * was asked. One that is not ready for another reason, or does not answer within a second, three
 * times in a row, is left with all connections until it is ready again; so clients of a server that
 * hangs are at another one after five seconds. A server that was killed does not need this: its
 * connections break. The state belongs to a loop of its own.
 */
final class ReadinessChecks implements AutoCloseable {
  static final Duration PERIOD = Duration.ofMillis(500);
  static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(ProxyCommand.NAME);
  private static final int FAILURES = 3;

  private final ProxiedServer server;
  private final Function<Duration, Readiness> readiness;
  private final Loop loop;
  private int failures;

  /**
   * @param readiness asks the server, and waits no longer than it is told to
   */
  static ReadinessChecks start(
      ProxiedServer server, Function<Duration, Readiness> readiness, Time time) {
    ReadinessChecks checks =
        new ReadinessChecks(server, readiness, time.start("proxy-readiness-" + server.address()));
    checks.loop.offer(checks::check);
    return checks;
  }

  private ReadinessChecks(
      ProxiedServer server, Function<Duration, Readiness> readiness, Loop loop) {
    this.server = server;
    this.readiness = readiness;
    this.loop = loop;
  }

  private void check() {
    if (!loop.call(() -> readiness.apply(PATIENCE), this::checked)) {
      again();
    }
  }

  private void checked(Readiness said) {
    failures = said == Readiness.UNREADY ? failures + 1 : 0;
    switch (said) {
      case READY -> {
        if (!server.isReady()) {
          LOG.atInfo().addKeyValue("server", server.address()).log("ready again");
          server.becomeReady();
        }
      }
      case LEAVING -> {
        if (server.isReady()) {
          LOG.atInfo()
              .addKeyValue("server", server.address())
              .log("stops: new connections go elsewhere");
          server.leave();
        }
      }
      case UNREADY -> {
        if (failures == FAILURES) {
          LOG.atWarn()
              .addKeyValue("server", server.address())
              .log("not ready: its clients move on");
          server.becomeUnready();
        }
      }
    }
    again();
  }

  private void again() {
    loop.after(PERIOD, this::check);
  }

  @Override
  public void close() {
    loop.close();
  }
}
