package dev.berth.store.etcd;

import dev.berth.store.StoreException;
import dev.berth.store.etcd.EtcdClient.Condition;
import dev.berth.store.etcd.EtcdClient.Range;
import dev.berth.store.etcd.EtcdClient.Write;
import dev.berth.store.etcd.EtcdClient.WriteReply;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the cache has reached what etcd has acknowledged to anybody. etcd is asked for its
 * revision, by a read that needs the quorum and returns nothing else; all who ask at once share the
 * question.
 *
 * <p>etcd's revision counts all its keys, while the watch tells about the store's alone. Where
 * others use the same etcd, the cache may be at all there is without knowing it. Then a key of the
 * store is written, whose event comes after everything else: its revision is as good as an answer.
 * While that happens, the key is written at once instead of asking first.
 */
final class Barrier {
  /** After which an event that is on its way has come. */
  private static final Duration USUAL_DELAY = Duration.ofMillis(100);

  /** After which the watch is taken for dead. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** How many times the key is written at once after it was of use. */
  private static final int WRITTEN_AT_ONCE = 100;

  private final EtcdClient client;
  private final Reached reached;
  private final Feed feed;
  private final Duration patience;
  private final Time time;
  private final Shared<Long> questions;
  private final Shared<Long> progress;
  private final AtomicInteger writeAtOnce = new AtomicInteger();

  Barrier(
      EtcdClient client, Keyspace keys, Reached reached, Feed feed, Duration patience, Time time) {
    this.client = client;
    this.reached = reached;
    this.feed = feed;
    this.patience = patience;
    this.time = time;
    var nothing = new Range(keys.progress, Keyspace.after(keys.progress), 0, 0);
    questions =
        new Shared<>(
            () -> client.range(nothing, TIMEOUT).thenApply(EtcdClient.RangeReply::revision));
    var mark = new Write(keys.progress, new byte[0], new Condition.Always(), 0);
    progress = new Shared<>(() -> client.write(mark, TIMEOUT).thenApply(WriteReply::revision));
  }

  /** Waits until everything that was acknowledged before this call can be read. */
  void await() {
    Instant began = time.monotonicNow();
    long wanted;
    if (writeAtOnce.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      wanted = ask(progress, began);
    } else {
      wanted = ask(questions, began);
      if (!isReached(wanted, USUAL_DELAY)) {
        writeAtOnce.set(WRITTEN_AT_ONCE);
        wanted = ask(progress, began);
      }
    }
    awaitTold(wanted, began);
  }

  /** Waits until the watch has told a revision at which the store was written. */
  void awaitTold(long revision, Instant began) {
    Instant waiting = time.monotonicNow();
    while (!isReached(revision, shorter(LONGEST_DELAY, left(began)))) {
      if (!left(began).isPositive()) {
        throw unavailable("the watch does not tell revision " + revision, null);
      }
      feed.suspect(waiting);
      waiting = time.monotonicNow();
    }
  }

  private long ask(Shared<Long> question, Instant began) {
    while (true) {
      try {
        return Replies.await(question.ask(), left(began));
      } catch (EtcdException e) {
        if (e.kind() != EtcdException.Kind.NO_ANSWER || left(began).compareTo(USUAL_DELAY) < 0) {
          throw unavailable(String.valueOf(e.getMessage()), e);
        }
        client.moveOn();
        // The reached revision does not matter here: this is a pause that ends when it can.
        var _ = isReached(Long.MAX_VALUE, USUAL_DELAY);
      }
    }
  }

  private boolean isReached(long revision, Duration within) {
    if (reached.revision() >= revision) {
      return true;
    }
    if (!within.isPositive()) {
      return false;
    }
    var waiting = reached.when(revision);
    try {
      Replies.await(waiting, within);
      return true;
    } catch (EtcdException e) {
      reached.forget(waiting);
      return false;
    }
  }

  private Duration left(Instant began) {
    return patience.minus(time.since(began));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private StoreException unavailable(String why, @Nullable Throwable e) {
    return new StoreException(
        "etcd at %s cannot be read at present: %s.".formatted(client.endpoints(), why), e);
  }
}
