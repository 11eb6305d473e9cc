package dev.berth.agent.shutdown;

import dev.berth.agent.pod.EndingPods;
import dev.berth.metrics.Metrics;
import dev.berth.policy.shutdown.ShutdownPeriods;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a node in good order (N13, N14), because its machine is shut down or because somebody drains
 * it.
 *
 * <pre>
 * PrepareForShutdown(true), drain ─▶ shutting down: NotReady, pods refused ─▶ phases ─▶ told ─▶ lock released
 * PrepareForShutdown(false) ─▶ Ready, no further phase begins; what was being ended ends
 * </pre>
 *
 * <ul>
 *   <li>Without configured periods the machine's shutdown is not delayed, and nothing of D-Bus is
 *       loaded; draining works all the same.
 *   <li>Whether the machine is being shut down is known before the first pod is let in: the login
 *       manager says so, or, while it cannot be asked, the file of the last shutdown. So an agent
 *       that is restarted in the middle starts nothing, and ends what is left in the time that is
 *       left. Nothing of that is kept about draining: whoever starts a node again wants it.
 *   <li>Unlike upstream, a cancelled shutdown begins no further phase.
 * </ul>
 *
 * <p>One loop owns all of it.
 */
public final class ShutdownManager implements AutoCloseable {
  static final String NAME = "shutdown";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  /** How long the server gets to hear that the node is not ready, before pods end. */
  private static final Duration ANNOUNCEMENT = Duration.ofMillis(500);

  /** How long it gets to hear how pods have ended. */
  private static final Duration REPORT = Duration.ofSeconds(2);

  private static final String EVENT = "Shutdown";

  /**
   * What it is made of.
   *
   * @param periods of the configuration; none turns off what the machine's shutdown does
   * @param root the agent's directory
   * @param bootId another one each time the machine is started
   */
  public record Parts(
      Time time,
      Metrics metrics,
      ShutdownPeriods periods,
      Path root,
      String bootId,
      LoginManager.Connector connector) {}

  /** The node as the server sees it. For any thread; nothing blocks. */
  public interface Node {
    /** Has the node's status reported; tells when the server knows. */
    void report(Runnable then);

    void event(String reason, String note);
  }

  /**
   * How it stands, for whoever looks.
   *
   * @param lockProblem why the machine's shutdown may not wait; empty if it does
   */
  public record Status(
      ShutdownPeriods periods,
      boolean isShuttingDown,
      boolean holdsLock,
      Duration longestDelay,
      String lockProblem,
      Optional<Instant> started,
      Optional<Instant> ended) {}

  private final Parts parts;
  private final Time time;
  private final Loop loop;
  private final Optional<ShutdownDelay> delay;
  private ShutdownDelay.@Nullable Attempt firstAttempt;

  private @Nullable Node node;
  private @Nullable EndingPods pods;
  private @Nullable PhasedTermination underWay;
  private final List<Drain> drains = new ArrayList<>();
  private boolean isDrained;

  private volatile boolean isShuttingDown;
  private volatile ShutdownRecord lastShutdown;

  /** Somebody who drains the node and hears how that goes, by any thread. */
  private record Drain(Consumer<String> progress, Runnable then) {}

  private ShutdownManager(Parts parts) {
    this.parts = parts;
    time = parts.time();
    loop = time.start(NAME);
    lastShutdown = ShutdownRecord.read(parts.root());
    showTime("start", ShutdownRecord::started);
    showTime("end", ShutdownRecord::ended);
    delay =
        parts.periods().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ShutdownDelay(
                    loop, parts.connector(), parts.periods().total(), this::preparing));
    if (delay.isPresent()) {
      firstAttempt = delay.get().connect();
      isShuttingDown =
          firstAttempt instanceof ShutdownDelay.Attempt.Connected connected
              ? connected.isPreparing()
              : lastShutdown.isUnderWay(parts.bootId());
    }
  }

  /** Finds out whether the machine is being shut down; blocks. */
  public static ShutdownManager open(Parts parts) {
    return new ShutdownManager(parts);
  }

  private void showTime(String which, Function<ShutdownRecord, Optional<Instant>> read) {
    parts
        .metrics()
        .lookedUp(
            "kubelet_graceful_shutdown_" + which + "_time_seconds",
            "Last graceful shutdown %s time since unix epoch in seconds".formatted(which),
            List.of(),
            action ->
                action.accept(
                    List.of(),
                    (double) read.apply(lastShutdown).map(Instant::getEpochSecond).orElse(0L)));
  }

  /** Begins to watch for shutdowns. */
  public void start(Node ofServer, EndingPods ofNode) {
    loop.after(
        Duration.ZERO,
        () -> {
          node = ofServer;
          pods = ofNode;
          if (isShuttingDown) {
            LOG.warn("this machine is being shut down: nothing is started on it");
            begin(parts.periods(), false);
          }
          ShutdownDelay.Attempt attempt = firstAttempt;
          if (attempt != null) {
            delay.ifPresent(held -> held.take(attempt));
          }
        });
  }

  /** Whether the node is on its way out. By any thread. */
  public boolean isShuttingDown() {
    return isShuttingDown;
  }

  public Status status() {
    ShutdownDelay.View view =
        delay.map(ShutdownDelay::view).orElse(new ShutdownDelay.View(false, Duration.ZERO, ""));
    return new Status(
        parts.periods(),
        isShuttingDown,
        view.holdsLock(),
        view.longestDelay(),
        view.problem(),
        lastShutdown.started(),
        lastShutdown.ended());
  }

  /** All locks on the machine's shutdown; none if nobody can be asked. Blocks. */
  public List<LoginManager.Inhibitor> inhibitors() {
    LoginManager asked = delay.map(ShutdownDelay::manager).orElse(null);
    try {
      return asked == null ? List.of() : asked.inhibitors();
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Ends all pods as a shutdown does, and leaves the node not ready. By any thread.
   *
   * @param periods what pods get
   * @param progress told what happens
   * @param then run when all pods have ended, or their time is over
   */
  public void drain(ShutdownPeriods periods, Consumer<String> progress, Runnable then) {
    loop.after(
        Duration.ZERO,
        () -> {
          isDrained = true;
          drains.add(new Drain(progress, then));
          if (isShuttingDown) {
            progress.accept("The node is shutting down already.");
          } else {
            isShuttingDown = true;
            event("Node is drained and will stop");
            begin(periods, true);
          }
        });
  }

  private void event(String note) {
    Node known = node;
    if (known != null) {
      known.event(EVENT, note);
    }
  }

  private void preparing(boolean shutsDown) {
    if (shutsDown && !isShuttingDown) {
      isShuttingDown = true;
      event("Shutdown manager detected shutdown event");
      LOG.info("this machine is about to be shut down");
      begin(parts.periods(), false);
    } else if (!shutsDown && isShuttingDown && !isDrained) {
      cancel();
    }
  }

  private void cancel() {
    isShuttingDown = false;
    event("Shutdown manager detected shutdown cancellation");
    LOG.info("this machine is not shut down after all");
    if (underWay != null) {
      underWay.cancel();
      underWay = null;
    }
    keep(lastShutdown.cancelled());
    delay.ifPresent(ShutdownDelay::hold);
    Node known = node;
    if (known != null) {
      known.report(() -> {});
    }
    EndingPods here = pods;
    if (here != null) {
      here.goOn();
    }
  }

  /** Begins to end pods, or goes on where the last agent was. */
  private void begin(ShutdownPeriods periods, boolean isDrain) {
    Node known = node;
    EndingPods here = pods;
    if (known == null || here == null) {
      return;
    }
    Instant now = time.now();
    boolean isResumed = !isDrain && lastShutdown.isUnderWay(parts.bootId());
    Duration gone =
        isResumed ? Duration.between(lastShutdown.started().orElse(now), now) : Duration.ZERO;
    if (!isResumed) {
      keep(
          isDrain
              ? ShutdownRecord.begun(now, parts.bootId()).cancelled()
              : ShutdownRecord.begun(now, parts.bootId()));
    }
    PhasedTermination next =
        new PhasedTermination(
            loop,
            time,
            here,
            gone.isNegative() ? Duration.ZERO : gone,
            this::progress,
            () -> ended(here));
    underWay = next;
    Runnable announced =
        new Runnable() {
          private boolean hasBegun;

          @Override
          public void run() {
            if (!hasBegun && next.equals(underWay)) {
              hasBegun = true;
              next.begin(periods);
            }
          }
        };
    loop.after(ANNOUNCEMENT, announced);
    known.report(() -> loop.after(Duration.ZERO, announced));
  }

  private void progress(String line) {
    LOG.info(line);
    drains.forEach(drain -> drain.progress().accept(line));
  }

  private void ended(EndingPods here) {
    keep(lastShutdown.ended(time.now()));
    here.whenTold(REPORT, () -> loop.after(Duration.ZERO, this::told));
  }

  private void told() {
    if (isShuttingDown) {
      LOG.info("all pods have had their time");
      delay.ifPresent(ShutdownDelay::release);
      List<Drain> waiting = List.copyOf(drains);
      drains.clear();
      waiting.forEach(drain -> drain.then().run());
    }
  }

  private void keep(ShutdownRecord record) {
    lastShutdown = record;
    record.write(parts.root());
  }

  @Override
  public void close() {
    loop.close();
    delay.ifPresent(ShutdownDelay::close);
  }
}
