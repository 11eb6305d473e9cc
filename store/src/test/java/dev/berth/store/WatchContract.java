package dev.berth.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store.WriteResult.Written;
import dev.berth.store.Watch.Event;
import dev.berth.store.Watch.Poll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The half of {@link StoreContract} that is about watching. */
public abstract class WatchContract {

  /** The store under test, new and empty. */
  protected Store store;

  /** Opens a new, empty store. */
  protected abstract Store open() throws Exception;

  @BeforeEach
  final void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  protected static String text(Store.Entry entry) {
    return new String(entry.value(), UTF_8);
  }

  protected final long put(String key, String value) {
    return ((Written) store.put(key, bytes(value), Store.ANY)).revision();
  }

  protected final long delete(String key) {
    return ((Written) store.delete(key, Store.ANY)).revision();
  }

  /** Runs a task on so many virtual threads, each told its number; fails if one of them fails. */
  protected static void concurrently(int threads, IntConsumer task) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        running.add(executor.submit(() -> task.accept(number)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  /** Everything the watch has to say until it has caught up with a revision, limits and all. */
  private static List<Event> drain(Watch watch, int limit, long revision) {
    var events = new ArrayList<Event>();
    while (true) {
      var poll = (Poll.Events) watch.poll(limit);
      assertThat(poll.events()).hasSizeLessThanOrEqualTo(limit);
      events.addAll(poll.events());
      if (poll.events().isEmpty() && poll.revision() >= revision) {
        return events;
      }
    }
  }

  @Test
  void deliversWhatHappenedAfterTheRevision() {
    long before = put("/a", "0");
    long put = put("/a", "1");
    put("/other", "x");
    long created = put("/ab", "2");
    long deleted = delete("/a");

    List<Event> events = drain(store.watch("/a", before, () -> {}), 10, deleted);

    assertThat(events).extracting(Event::revision).containsExactly(put, created, deleted);
    var first = (Event.Put) events.get(0);
    assertThat(text(first.entry())).isEqualTo("1");
    assertThat(first.previous().orElseThrow().revision()).isEqualTo(before);
    var second = (Event.Put) events.get(1);
    assertThat(second.previous()).isEmpty();
    var third = (Event.Delete) events.get(2);
    assertThat(text(third.previous())).isEqualTo("1");
    assertThat(third.key()).isEqualTo("/a");
  }

  @Test
  void theRevisionOfAPollIsABookmark() {
    Watch watch = store.watch("/a/", store.revision(), () -> {});
    long first = put("/a/1", "");
    long second = put("/a/2", "");
    long other = put("/b/1", "");
    assertThat(((Poll.Events) watch.poll(1)).revision()).isBetween(first, second - 1);
    assertThat(((Poll.Events) watch.poll(1)).revision()).isBetween(second, other);
    assertThat(drain(watch, 1, other)).isEmpty();
  }

  @Test
  void isReadyOnceAfterAPollThatFoundNothing() {
    var ready = new AtomicInteger();
    Watch watch = store.watch("/a/", store.revision(), ready::incrementAndGet);
    put("/a/1", "");
    assertThat(ready).as("not polled yet").hasValue(0);
    long one = put("/a/2", "");
    assertThat(drain(watch, 10, one)).hasSize(2);
    put("/b/1", "");
    assertThat(ready).as("another prefix").hasValue(0);
    put("/a/3", "");
    long two = put("/a/4", "");
    assertReadies(ready, 1);
    assertThat(drain(watch, 10, two)).hasSize(2);
    long three = delete("/a/4");
    assertReadies(ready, 2);
    assertThat(drain(watch, 10, three)).hasSize(1);
  }

  /** The call may come a little after the write: wait for it, then make sure it is the only one. */
  private void assertReadies(AtomicInteger ready, int calls) {
    while (ready.get() < calls) {
      Thread.onSpinWait();
    }
    put("/elsewhere", "");
    assertThat(ready).hasValue(calls);
  }

  @Test
  void refusesToWatchTheFuture() {
    long future = put("/a", "") + 1_000_000;
    assertThatThrownBy(() -> store.watch("/", future, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aWatchFromBeforeTheCompactionIsTooOld() {
    long old = put("/a", "1");
    long kept = put("/a", "2");
    put("/a", "3");
    Watch slow = store.watch("/a", old, () -> {});
    store.compact(kept);
    assertThat(slow.poll(1)).isEqualTo(new Poll.TooOld(store.compactedRevision()));
    assertThat(store.watch("/a", old, () -> {}).poll(1)).isInstanceOf(Poll.TooOld.class);
    assertThat(drain(store.watch("/a", kept, () -> {}), 10, kept + 1)).hasSize(1);
  }

  @Test
  void anIdleWatchOnAQuietPrefixIsNeverTooOld() {
    Watch watch = store.watch("/quiet/", store.revision(), () -> {});
    assertThat(drain(watch, 1, 0)).isEmpty();
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      last = put("/busy/" + i % 10, "");
    }
    store.compact(last);
    assertThat(drain(watch, 1, last)).isEmpty();
    last = put("/quiet/a", "");
    assertThat(drain(watch, 1, last)).hasSize(1);
  }

  @Test
  void closingTheWatchOrTheStoreEndsIt() {
    var ready = new AtomicInteger();
    Watch closed = store.watch("/", store.revision(), ready::incrementAndGet);
    closed.close();
    assertThat(closed.poll(1)).isEqualTo(new Poll.Closed());
    Watch open = store.watch("/", store.revision(), ready::incrementAndGet);
    assertThat(drain(open, 1, 0)).isEmpty();
    store.close();
    while (ready.get() < 1) {
      Thread.onSpinWait();
    }
    assertThat(open.poll(1)).isEqualTo(new Poll.Closed());
  }

  /**
   * Eight writers while five watchers read: each sees each write of its prefix once and in order.
   */
  @Test
  void missesNothingAndRepeatsNothingUnderConcurrentWrites() throws Exception {
    var written = new ConcurrentSkipListMap<Long, String>();
    var watching = new HashMap<String, Future<Map<Long, String>>>();
    var end = new CompletableFuture<Long>();
    var ready = new ArrayList<Semaphore>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      long start = store.revision();
      for (String prefix : List.of("/", "/0/", "/1/", "/1/1", "/none/")) {
        var semaphore = new Semaphore(0);
        ready.add(semaphore);
        watching.put(prefix, executor.submit(() -> collect(prefix, start, semaphore, end)));
      }
      concurrently(
          8,
          writer -> {
            var random = new SplittableRandom(writer);
            for (int i = 0; i < 500; i++) {
              String key = "/" + random.nextInt(2) + "/" + random.nextInt(20);
              written.put(put(key, "x"), key);
            }
          });
      end.complete(written.lastKey());
      ready.forEach(Semaphore::release);
      for (var entry : watching.entrySet()) {
        var expected = new HashMap<>(written);
        expected.values().removeIf(key -> !key.startsWith(entry.getKey()));
        assertThat(entry.getValue().get()).as(entry.getKey()).isEqualTo(expected);
      }
    }
  }

  /**
   * Reads whenever it is woken, until the bookmark has reached the end; checks order on the way.
   */
  private Map<Long, String> collect(
      String prefix, long start, Semaphore ready, CompletableFuture<Long> end) throws Exception {
    var seen = new HashMap<Long, String>();
    long last = start;
    try (Watch watch = store.watch(prefix, start, ready::release)) {
      while (true) {
        var poll = (Poll.Events) watch.poll(50);
        for (Event event : poll.events()) {
          assertThat(event.revision()).isGreaterThan(last);
          last = event.revision();
          seen.put(event.revision(), event.key());
        }
        assertThat(poll.revision()).isGreaterThanOrEqualTo(last);
        last = poll.revision();
        if (poll.events().isEmpty()) {
          if (end.isDone() && last >= end.get()) {
            return seen;
          }
          ready.acquire();
        }
      }
    }
  }
}
