package dev.berth.client.leaderelection;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Elects one of several candidates by a Lease, as client-go does.
 *
 * <ol>
 *   <li>A candidate looks at the lease every retry period, and up to 1.2 times as long again by
 *       chance. It takes a lease that nobody holds, or that did not change for its whole duration
 *       on the candidate's own monotonic clock: neither times written by others nor a wall clock
 *       that somebody sets can make two lead.
 *   <li>The leader renews every retry period. If it does not succeed for the renew deadline, it
 *       stops leading, which is before others may begin, and is a candidate again.
 *   <li>Whoever begins to lead counts a transition, also if it led before: each {@link LeaderTerm}
 *       is unique. client-go counts those to another holder only.
 *   <li>Closing it gives the lease back, so that others need not wait; also when its loop has ended
 *       because of a bug.
 * </ol>
 *
 * <p>It runs on a loop and calls its listener there; closing it calls the listener on the closing
 * thread. Any thread may start and close it: a lock guards the state. That only one leads is as
 * certain as clocks run at the same rate and nobody sleeps between asking the time and writing;
 * whoever needs more names its term when writing, or insists on revisions.
 */
public final class LeaderElection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("leader-election");
  private static final int FORBIDDEN = 403;

  private static final double JITTER = 1.2;

  /** By how much of a period a candidate may look sooner, so that not all look together. */
  private static final double SOONER = 0.2;

  private static final int RELEASE_ATTEMPTS = 3;

  /**
   * Who runs for what.
   *
   * @param identity differs from that of all other candidates
   * @param leaseDuration how long others wait for a leader that is silent
   * @param renewDeadline how long a leader tries to renew before it stops
   * @param retryPeriod how long to wait between attempts
   */
  public record Config(
      ObjectName lease,
      String identity,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {

    public Config {
      if (leaseDuration.compareTo(renewDeadline) <= 0) {
        throw new IllegalArgumentException("leaseDuration must be greater than renewDeadline");
      }
      if (renewDeadline.toNanos() <= JITTER * retryPeriod.toNanos()) {
        throw new IllegalArgumentException(
            "renewDeadline must be greater than retryPeriod*" + JITTER);
      }
    }

    /** The durations of Kubernetes' own components: 15 s, 10 s and 2 s. */
    public static Config standard(ObjectName lease, String identity) {
      return new Config(
          lease, identity, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }
  }

  /** Is told who leads. */
  public interface Listener {
    void started(LeaderTerm term);

    /** Others may begin soon: whatever only a leader may do must have ended. */
    void stopped();

    /** Somebody leads who did not before, perhaps this candidate. */
    default void observed(String leader) {}
  }

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final Config config;
  private final Listener listener;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();

  /** The lease as it was last seen, and when that was first seen. */
  private @Nullable JsonObject lease;

  /** On the monotonic clock, as all that is compared here. */
  private Instant leaseSeen = Instant.EPOCH;

  private String observedLeader = "";
  private boolean leading;

  /** That of this candidate, while it leads. */
  private @Nullable LeaderTerm term;

  /** Whether the lease may be another than the one last seen. */
  private boolean mustLook = true;

  private boolean closed;
  private boolean hasToldOfRefusal;
  private Loop.@Nullable Timer deadline;

  public LeaderElection(Api api, Loop loop, Time time, Config config, Listener listener) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.config = config;
    this.listener = listener;
    this.random = time.random("leader election " + config.lease() + " " + config.identity());
  }

  public void start() {
    loop.after(Duration.ZERO, () -> locked(this::attempt));
  }

  private void locked(Runnable task) {
    lock.lock();
    try {
      task.run();
    } finally {
      lock.unlock();
    }
  }

  public boolean isLeader() {
    lock.lock();
    try {
      return leading;
    } finally {
      lock.unlock();
    }
  }

  /** Who led when last looked at; empty if nobody. */
  public String leader() {
    lock.lock();
    try {
      return observedLeader;
    } finally {
      lock.unlock();
    }
  }

  private void attempt() {
    if (closed) {
      return;
    }
    // The leader knows the lease, unless somebody else wrote it.
    boolean begun =
        (leading && !mustLook)
            ? write(LeaseRecord.renewed(lease(), config, time.now()))
            : loop.call(
                () -> api.get(Resources.LEASES, config.lease()),
                result -> locked(() -> looked(result)));
    if (!begun) {
      later();
    }
  }

  private JsonObject lease() {
    return lease == null ? JsonObject.EMPTY : lease;
  }

  private void looked(ApiResult result) {
    if (closed) {
      return;
    }
    Instant now = time.now();
    boolean writing =
        switch (result) {
          case ApiResult.Done(JsonObject found) -> {
            observe(found);
            yield mayTake(found)
                && write(
                    leading
                        ? LeaseRecord.renewed(found, config, now)
                        : LeaseRecord.taken(found, config, now));
          }
          case ApiResult.Failure failure -> {
            refused(failure);
            yield failure.isNotFound() && write(LeaseRecord.created(lease(), config, now));
          }
        };
    if (!writing) {
      later();
    }
  }

  private boolean mayTake(JsonObject found) {
    String holder = LeaseRecord.holder(found);
    return holder.isEmpty()
        || holder.equals(config.identity())
        || time.since(leaseSeen).compareTo(config.leaseDuration()) >= 0;
  }

  private boolean write(JsonObject wanted) {
    Instant asked = time.monotonicNow();
    boolean creates = !wanted.object("metadata").has("resourceVersion");
    return loop.call(
        () -> creates ? api.create(Resources.LEASES, wanted) : api.update(Resources.LEASES, wanted),
        result -> locked(() -> written(result, asked)));
  }

  private void written(ApiResult result, Instant asked) {
    if (closed) {
      // Held without anybody knowing of it; give it back.
      if (result instanceof ApiResult.Done(JsonObject held)) {
        release(held);
      }
      return;
    }
    switch (result) {
      case ApiResult.Done(JsonObject held) -> {
        observe(held);
        lead(held, asked);
      }
      // Somebody else wrote it, or nobody knows.
      case ApiResult.Failure failure -> {
        refused(failure);
        mustLook = true;
      }
    }
    later();
  }

  /** Tells, once, that this one will not lead before somebody gives it the right to. */
  private void refused(ApiResult.Failure failure) {
    if (!hasToldOfRefusal
        && failure instanceof ApiResult.Refused(ApiError error)
        && error.code() == FORBIDDEN) {
      hasToldOfRefusal = true;
      LOG.atWarn()
          .addKeyValue("lease", config.lease())
          .addKeyValue("reason", failure.message())
          .log("cannot lead");
    }
  }

  private void lead(JsonObject held, Instant since) {
    if (deadline != null) {
      deadline.cancel();
    }
    Duration left = config.renewDeadline().minus(time.since(since));
    deadline = loop.after(left, () -> locked(() -> stop("it could not be renewed in time")));
    if (!leading) {
      leading = true;
      term = LeaderTerm.of(held);
      log().log("leading");
      listener.started(term);
    }
  }

  /**
   * A server has refused what was written in a term, since that is over. Stops leading, as soon as
   * the loop gets to it.
   */
  void isOver(LeaderTerm ended, String why) {
    loop.offer(() ->
        locked(() -> {
          if (ended.equals(term)) {
            mustLook = true;
            stop(why);
          }
        }));
  }

  private void stop(String why) {
    if (leading) {
      leading = false;
      term = null;
      if (closed) {
        log().log("stopped leading");
      } else {
        log().addKeyValue("reason", why).log("lost the lease");
      }
      listener.stopped();
    }
  }

  private void observe(JsonObject found) {
    if (lease == null || !LeaseRecord.sameRecord(lease, found)) {
      leaseSeen = time.monotonicNow();
    }
    lease = found;
    mustLook = false;
    String holder = LeaseRecord.holder(found);
    if (leading && !LeaderTerm.of(found).equals(term)) {
      stop("it passed on");
    }
    if (!holder.equals(observedLeader)) {
      observedLeader = holder;
      if (!holder.isEmpty() && !holder.equals(config.identity())) {
        LOG.atInfo()
            .addKeyValue("lease", config.lease())
            .addKeyValue("leader", holder)
            .log("waiting: another one leads");
      }
      listener.observed(holder);
    }
  }

  private LoggingEventBuilder log() {
    return LOG.atInfo()
        .addKeyValue("lease", config.lease())
        .addKeyValue("identity", config.identity());
  }

  /**
   * Who waits looks at least as often as the leader renews, and at the moment when the lease as it
   * was seen expires: so it knows of a renewal soon, and takes over within a period after the lease
   * of a leader that died has expired. Upstream's candidates wait for up to 2.2 periods each time.
   */
  private void later() {
    Duration delay = config.retryPeriod();
    if (!leading) {
      delay = delay.minusNanos((long) (delay.toNanos() * SOONER * random.nextDouble()));
      Duration left = config.leaseDuration().minus(time.since(leaseSeen));
      delay = left.isPositive() && left.compareTo(delay) < 0 ? left : delay;
    }
    loop.after(delay, () -> locked(this::attempt));
  }

  /** Stops leading, and gives the lease back. */
  @Override
  public void close() {
    locked(this::leave);
  }

  private void leave() {
    if (closed) {
      return;
    }
    closed = true;
    if (deadline != null) {
      deadline.cancel();
    }
    boolean held = leading && lease != null;
    stop("");
    if (held) {
      release(lease());
    }
  }

  private void release(JsonObject held) {
    Supplier<ApiResult> giveBack = () -> giveBack(held);
    if (!loop.call(giveBack, _ -> {})) {
      // The loop has ended. Calls go on when theirs ends, so that this one may end at once.
      try (Loop last = time.start("lease-release")) {
        last.call(giveBack, _ -> {});
      }
    }
  }

  /** A renewal may have been under way when this began, so that the lease is a later one. */
  private ApiResult giveBack(JsonObject held) {
    JsonObject latest = held;
    for (int i = 0; i < RELEASE_ATTEMPTS; i++) {
      ApiResult written = api.update(Resources.LEASES, LeaseRecord.released(latest, time.now()));
      if (!written.isConflict()
          || !(api.get(Resources.LEASES, config.lease()) instanceof ApiResult.Done(var found))
          || !LeaseRecord.holder(found).equals(config.identity())) {
        return written;
      }
      latest = found;
    }
    return new ApiResult.Unreachable("The lease changes all the time.");
  }
}
