package dev.berth.store.etcd;

import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leases for what goes by itself. Those are costly to etcd, so writes of about a minute share one,
 * as upstream's do: a lease lives 5% longer than what it is for, but at most a minute, and serves
 * those writes that it outlives by no more than that, and at most 1,000 of them.
 */
final class EtcdLeases {
  private static final Duration LONGEST_REUSE = Duration.ofMinutes(1);
  private static final int MOST_OBJECTS = 1_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** A lease and until when it lives; {@code objects} is guarded by the map's lock of its time. */
  private record Granted(CompletableFuture<Long> id, Instant end, int objects) {
    Granted oneMore() {
      return new Granted(id, end, objects + 1);
    }
  }

  private final EtcdClient client;
  private final Time time;
  private final Map<Duration, Granted> latest = new ConcurrentHashMap<>();

  EtcdLeases(EtcdClient client, Time time) {
    this.client = client;
    this.time = time;
  }

  /** A lease that lives at least so long. */
  long lease(Duration ttl) {
    Granted granted =
        latest.compute(
            ttl, (_, known) -> known != null && serves(known, ttl) ? known.oneMore() : grant(ttl));
    return Replies.await(granted.id, TIMEOUT.plusSeconds(1));
  }

  /** A lease is gone sooner than its time: this machine slept, or etcd was restored. */
  void forget(long id) {
    latest
        .values()
        .removeIf(granted ->
            granted.id.isDone()
                && !granted.id.isCompletedExceptionally()
                && granted.id.join() == id);
  }

  private boolean serves(Granted known, Duration ttl) {
    Instant needed = time.monotonicNow().plus(ttl);
    return !known.id.isCompletedExceptionally()
        && known.objects < MOST_OBJECTS
        && needed.isBefore(known.end)
        && needed.plus(reuse(ttl)).isAfter(known.end);
  }

  private Granted grant(Duration ttl) {
    Duration longer = ttl.plus(reuse(ttl));
    return new Granted(client.grantLease(longer, TIMEOUT), time.monotonicNow().plus(longer), 1);
  }

  private static Duration reuse(Duration ttl) {
    Duration share = Duration.ofSeconds(ttl.dividedBy(20).toSeconds());
    return share.compareTo(LONGEST_REUSE) > 0 ? LONGEST_REUSE : share;
  }
}
