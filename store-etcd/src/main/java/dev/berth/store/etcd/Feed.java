package dev.berth.store.etcd;

import dev.berth.store.Draft;
import dev.berth.store.Store.Entry;
import dev.berth.store.Timeline;
import dev.berth.store.etcd.EtcdClient.Event;
import dev.berth.store.etcd.EtcdClient.KeyValue;
import dev.berth.store.etcd.EtcdClient.WatchListener;
import dev.berth.time.FatalError;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the timeline as etcd is: one thread follows one watch of all keys, in order. When the watch
 * ends, it begins another one where that one was, at another member if it can. When etcd has
 * forgotten what came next, everything is read anew, and whoever watches is told that history
 * cannot be told.
 */
final class Feed implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger("store");

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** What the watch tells, or that it has ended. */
  private sealed interface Message {
    record Told(List<Event> events) implements Message {}

    record Ended(EtcdException why) implements Message {}

    /** Somebody waits for what should have been told already. */
    record Suspected(Instant since) implements Message {}

    record Closed() implements Message {}
  }

  private final EtcdClient client;
  private final Keyspace keys;
  private final StoredValues values;
  private final PendingPuts pending;
  private final Timeline timeline;
  private final Reached reached;
  private final Decoding decoding;
  private final Time time;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable BlockingQueue<Message> current;

  Feed(
      EtcdClient client,
      Keyspace keys,
      StoredValues values,
      PendingPuts pending,
      Timeline timeline,
      Reached reached,
      Decoding decoding,
      Time time) {
    this.client = client;
    this.keys = keys;
    this.values = values;
    this.pending = pending;
    this.timeline = timeline;
    this.reached = reached;
    this.decoding = decoding;
    this.time = time;
  }

  /**
   * Has the watch begun anew at another member, since it says less than others know.
   *
   * @param since when somebody began to wait for what it should have told: a watch that began later
   *     had less time than that, and may not be blamed. Otherwise those who wait, one after the
   *     other, would end each watch before it could tell anything.
   */
  void suspect(Instant since) {
    tell(new Message.Suspected(since));
  }

  void close() {
    closed.countDown();
    tell(new Message.Closed());
  }

  private void tell(Message message) {
    BlockingQueue<Message> queue = current;
    if (queue != null) {
      queue.add(message);
    }
  }

  @Override
  public void run() {
    Duration pause = FIRST_PAUSE;
    while (closed.getCount() > 0) {
      long before = reached.revision();
      try {
        follow();
      } catch (EtcdException e) {
        pause = reached.revision() > before ? FIRST_PAUSE : pause;
        LOG.atWarn()
            .addKeyValue("reason", e.getMessage())
            .addKeyValue("revision", reached.revision())
            .log("the watch of etcd ended and begins anew");
      } catch (RuntimeException | Error e) {
        FatalError.check(e);
        // The timeline takes a draft as a whole or not at all, so the same events come again.
        LOG.atError().setCause(e).log("what etcd told could not be taken over; it is asked again");
      }
      if (closed.getCount() > 0 && !isClosedWithin(pause)) {
        client.moveOn();
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    }
  }

  private boolean isClosedWithin(Duration pause) {
    try {
      return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Follows one watch until it ends. */
  private void follow() {
    BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
    current = queue;
    if (closed.getCount() == 0) {
      return;
    }
    Instant began = time.monotonicNow();
    try (EtcdClient.Watching watching =
        client.watch(keys.from, keys.to, reached.revision() + 1, listener(queue))) {
      while (true) {
        switch (take(queue)) {
          case Message.Told told -> publish(told, queue, watching);
          case Message.Ended(EtcdException why) -> {
            if (why.kind() == EtcdException.Kind.COMPACTED) {
              readAnew();
              return;
            }
            throw why;
          }
          case Message.Suspected(Instant since) -> {
            if (since.isAfter(began)) {
              throw new EtcdException(
                  EtcdException.Kind.NO_ANSWER, "it is behind what etcd acknowledged", null);
            }
          }
          case Message.Closed _ -> {
            return;
          }
        }
      }
    } finally {
      current = null;
    }
  }

  private static WatchListener listener(BlockingQueue<Message> queue) {
    return new WatchListener() {
      @Override
      public void events(List<Event> events) {
        queue.add(new Message.Told(events));
      }

      @Override
      public void ended(EtcdException why) {
        queue.add(new Message.Ended(why));
      }
    };
  }

  private static Message take(BlockingQueue<Message> queue) {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        // Nobody interrupts this thread to end it.
      }
    }
  }

  /** Publishes together what has been told by now: one after the other takes longer. */
  private void publish(
      Message.Told first, BlockingQueue<Message> queue, EtcdClient.Watching watching) {
    Draft draft = timeline.draft();
    follow(first.events, draft);
    int count = 1;
    // No more than may be on its way: others are asked for at the end.
    while (queue.peek() instanceof Message.Told next) {
      var _ = queue.remove();
      follow(next.events, draft);
      count++;
    }
    List<Runnable> wakes = timeline.publish(draft);
    reached.advance(timeline.revision());
    Wakes.run(wakes);
    for (int i = 0; i < count; i++) {
      watching.more();
    }
  }

  private void follow(List<Event> events, Draft draft) {
    for (Event event : events) {
      if (event.entry().modRevision() > reached.revision()) {
        follow(event, draft);
      }
      draft.followTo(event.entry().modRevision());
    }
  }

  private void follow(Event event, Draft draft) {
    KeyValue stored = event.entry();
    if (keys.isProgress(stored.key())) {
      return;
    }
    Optional<String> key = values.storeKey(stored.key());
    if (key.isEmpty()) {
      return;
    }
    if (event.isDelete()) {
      values.deleted(key.get());
      draft.followDelete(key.get(), stored.modRevision());
      return;
    }
    Entry own = pending.match(key.get(), stored);
    if (own == null) {
      draft.follow(values.entry(key.get(), stored));
    } else {
      values.written(key.get());
      draft.follow(own);
    }
  }

  private void readAnew() {
    Snapshot snapshot = Snapshot.read(client, keys, values);
    LOG.atWarn()
        .addKeyValue("from", reached.revision())
        .addKeyValue("to", snapshot.revision())
        .log("etcd has forgotten what happened meanwhile: everything was read anew");
    List<Runnable> wakes = timeline.restart(snapshot.entries(), snapshot.revision());
    reached.advance(snapshot.revision());
    Wakes.run(wakes);
    decoding.begin(List.of(snapshot.entries()));
  }
}
