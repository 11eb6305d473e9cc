package dev.berth.cli.server;

import dev.berth.apiserver.ApiServer;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a server leaves others of its cluster, so that no request fails:
 *
 * <ol>
 *   <li>It is not ready from now on, and the service {@code kubernetes} leads to the others. It
 *       gives back what it leads by.
 *   <li>It answers everything for a while, so that all who balance have seen that.
 *   <li>It accepts no more connections, and tells clients to go; who has a request under way gets
 *       its answer first.
 * </ol>
 *
 * <p>A server that is alone does not wait: nobody else could answer.
 */
final class GracefulStop {
  private static final Logger LOG = LoggerFactory.getLogger("apiserver");

  /** Who asks something at least so often leaves by itself, and never finds a connection closed. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final ApiServer server;
  private final Time time;
  private final Optional<Duration> delay;

  /**
   * @param delay how long it answers everything; empty if that depends on whether there are others
   */
  GracefulStop(ApiServer server, Time time, Optional<Duration> delay) {
    this.server = server;
    this.time = time;
    this.delay = delay;
  }

  /**
   * Blocks until clients have left.
   *
   * @param resign gives back what it leads by
   */
  void leave(Runnable resign) {
    boolean hasOthers = server.leave();
    resign.run();
    Duration wait = delay.orElse(hasOthers ? ShutdownOptions.AMONG_OTHERS : Duration.ZERO);
    if (wait.isPositive()) {
      LOG.atInfo()
          .addKeyValue("delay", FlagValues.text(wait))
          .log("not ready from now on; requests are answered until the delay is over");
      pause(wait);
      server.sendAway(FAREWELL);
    }
  }

  private void pause(Duration wait) {
    CountDownLatch over = new CountDownLatch(1);
    try (Loop loop = time.start("shutdown-delay")) {
      loop.after(wait, over::countDown);
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
