package dev.berth.grpc.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Store;
import dev.berth.store.Store.WriteResult.Conflict;
import dev.berth.store.Store.WriteResult.Prevented;
import dev.berth.store.Store.WriteResult.Written;
import dev.berth.store.StoreException;
import dev.berth.store.etcd.EtcdClient;
import dev.berth.store.etcd.EtcdConnector;
import dev.berth.store.etcd.EtcdException;
import dev.berth.store.etcd.EtcdOptions;
import dev.berth.store.etcd.EtcdStore;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What befalls a real etcd, under writers and watchers: nothing is lost, doubled or reordered. */
class EtcdFaultTest {
  private static final String PREFIX = "/registry";
  private static final Duration SHORT = Duration.ofSeconds(2);

  @TempDir Path directory;

  private final WallTime time = EtcdStores.time();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    time.close();
  }

  private EtcdProcess etcd(int members) {
    var etcd = EtcdProcess.start(directory, members);
    opened.add(etcd);
    return etcd;
  }

  private EtcdStore store(EtcdProcess etcd) {
    return store(EtcdStores.client(etcd), EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX)));
  }

  private EtcdStore store(EtcdClient client, EtcdOptions options) {
    var store = EtcdStore.open(client, options, time);
    opened.add(store);
    return store;
  }

  private Observer observer(Store store, String prefix) {
    var observer = new Observer(store, prefix, store.revision());
    opened.add(observer);
    return observer;
  }

  /** Writes one key again and again, each time expecting what it knows; what was acknowledged. */
  private static final class Writer {
    final SortedMap<Long, String> acknowledged = new ConcurrentSkipListMap<>();
    final AtomicInteger unknown = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final Future<?> running;

    Writer(Store store, String key, ExecutorService threads) {
      running = threads.submit(() -> write(store, key));
    }

    private void write(Store store, String key) {
      long expected = Store.ABSENT;
      for (int i = 0; !stop.get(); i++) {
        try {
          switch (store.put(key, Integer.toString(i).getBytes(UTF_8), expected)) {
            case Written written -> {
              expected = written.revision();
              acknowledged.put(expected, key + "=" + i);
            }
            case Conflict conflict ->
                expected = conflict.current().map(Store.Entry::revision).orElse(Store.ABSENT);
            case Prevented prevented -> throw new AssertionError(prevented);
          }
        } catch (StoreException e) {
          unknown.incrementAndGet();
        }
      }
    }

    void awaitMore(int count) {
      int wanted = acknowledged.size() + count;
      while (acknowledged.size() < wanted) {
        assertThat(running.isDone()).as("still writing").isFalse();
        Thread.onSpinWait();
      }
    }

    void finish() throws Exception {
      stop.set(true);
      running.get(1, TimeUnit.MINUTES);
    }
  }

  private static void assertNothingLost(Observer observer, Writer writer) {
    observer.await(writer.acknowledged.lastKey());
    assertThat(observer.told()).containsAllEntriesOf(writer.acknowledged);
    // What was told beyond that are writes whose answers were lost.
    assertThat(observer.told().size() - writer.acknowledged.size())
        .isLessThanOrEqualTo(writer.unknown.get());
  }

  @Test
  void aKilledEtcdLosesNothingThatWasAcknowledged() throws Exception {
    EtcdProcess etcd = etcd(1);
    EtcdStore store = store(etcd);
    Observer observer = observer(store, "/k/");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writer = new Writer(store, "/k/1", threads);
      for (int round = 0; round < 3; round++) {
        writer.awaitMore(50);
        etcd.kill(0);
        etcd.start(0);
      }
      writer.awaitMore(50);
      writer.finish();
      assertNothingLost(observer, writer);
    }
  }

  @Test
  void aStoppedEtcdMakesReadsFailInTimeAndHeals() throws Exception {
    EtcdProcess etcd = etcd(1);
    EtcdStore store =
        store(
            EtcdStores.client(etcd),
            EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX)).patience(SHORT));
    Observer observer = observer(store, "/k/");
    store.put("/k/1", new byte[] {'1'}, Store.ABSENT);
    store.sync();
    etcd.signal(0, "STOP");
    assertThatThrownBy(store::sync)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be read at present");
    assertThat(store.get("/k/1")).as("what was last known is still read").isPresent();
    assertThatThrownBy(() -> store.put("/k/1", new byte[] {'2'}, Store.ANY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not known whether /k/1 was written");
    etcd.signal(0, "CONT");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writer = new Writer(store, "/k/2", threads);
      writer.awaitMore(10);
      writer.finish();
      store.sync();
      observer.await(writer.acknowledged.lastKey());
      assertThat(observer.told()).containsAllEntriesOf(writer.acknowledged);
    }
  }

  @Test
  void twoOfThreeMembersAreEnough() throws Exception {
    EtcdProcess etcd = etcd(3);
    EtcdStore store = store(etcd);
    Observer observer = observer(store, "/k/");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writer = new Writer(store, "/k/1", threads);
      for (int member = 0; member < 3; member++) {
        writer.awaitMore(20);
        etcd.kill(member);
        writer.awaitMore(20);
        etcd.start(member);
        writer.awaitMore(20);
        etcd.signal(member, "STOP");
        writer.awaitMore(20);
        etcd.signal(member, "CONT");
      }
      writer.awaitMore(20);
      writer.finish();
      assertNothingLost(observer, writer);
    }
  }

  /**
   * The watch goes silent, and each that follows takes half a second to begin. Writers who wait,
   * one every 50 ms, do not end it before.
   */
  @Test
  void aWatchThatHasJustBegunIsNotBlamedForWhatTheLastOneDidNotTell() throws Exception {
    EtcdProcess etcd = etcd(1);
    AtomicInteger watches = new AtomicInteger();
    try (var timer = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory())) {
      EtcdClient slow =
          new ForwardingEtcdClient(EtcdStores.client(etcd)) {
            @Override
            public Watching watch(byte[] from, byte[] to, long start, WatchListener listener) {
              boolean isFirst = watches.incrementAndGet() == 1;
              return super.watch(from, to, start, isFirst ? deaf() : late(listener, timer));
            }
          };
      EtcdStore store = store(slow, EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX)));
      List<Future<Store.WriteResult>> writes = new ArrayList<>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 80; i++) {
          String key = "/k/" + i;
          CompletableFuture<Store.WriteResult> write = new CompletableFuture<>();
          var _ =
              timer.schedule(
                  () ->
                      threads.execute(() -> {
                        try {
                          write.complete(store.put(key, new byte[] {'1'}, Store.ABSENT));
                        } catch (StoreException e) {
                          write.completeExceptionally(e);
                        }
                      }),
                  50L * i,
                  TimeUnit.MILLISECONDS);
          writes.add(write);
        }
        for (Future<Store.WriteResult> write : writes) {
          assertThat(write.get()).isInstanceOf(Written.class);
        }
      }
      assertThat(watches.get()).isLessThan(6);
    }
  }

  private static EtcdClient.WatchListener deaf() {
    return new EtcdClient.WatchListener() {
      @Override
      public void events(List<EtcdClient.Event> events) {}

      @Override
      public void ended(EtcdException why) {}
    };
  }

  private static EtcdClient.WatchListener late(
      EtcdClient.WatchListener listener, ScheduledExecutorService timer) {
    return new EtcdClient.WatchListener() {
      @Override
      public void events(List<EtcdClient.Event> events) {
        var _ = timer.schedule(() -> listener.events(events), 500, TimeUnit.MILLISECONDS);
      }

      @Override
      public void ended(EtcdException why) {
        listener.ended(why);
      }
    };
  }

  @Test
  void twoStoresSeeTheSameWritesInTheSameOrder() throws Exception {
    EtcdProcess etcd = etcd(1);
    EtcdStore one = store(etcd);
    EtcdStore other = store(etcd);
    Observer atOne = observer(one, "/k/");
    Observer atOther = observer(other, "/k/");
    Map<Long, String> acknowledged = new ConcurrentSkipListMap<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        Store store = i % 2 == 0 ? one : other;
        running.add(
            threads.submit(() -> {
              for (int n = 0; n < 50; n++) {
                increment(store, "/k/" + n % 3, acknowledged);
              }
            }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(acknowledged).hasSize(800);
    long last = ((ConcurrentSkipListMap<Long, String>) acknowledged).lastKey();
    atOne.await(last);
    atOther.await(last);
    assertThat(atOne.told()).isEqualTo(acknowledged);
    assertThat(atOther.told()).isEqualTo(acknowledged);
    // What one was told to be written, the other reads at once if it insists.
    one.put("/k/9", new byte[] {'x'}, Store.ABSENT);
    other.sync();
    assertThat(other.get("/k/9")).isPresent();
  }

  private static void increment(Store store, String key, Map<Long, String> acknowledged) {
    Optional<Store.Entry> seen = store.get(key);
    while (true) {
      int next =
          seen.map(entry -> Integer.parseInt(new String(entry.value(), UTF_8))).orElse(0) + 1;
      long expected = seen.map(Store.Entry::revision).orElse(Store.ABSENT);
      switch (store.put(key, Integer.toString(next).getBytes(UTF_8), expected)) {
        case Written written -> {
          acknowledged.put(written.revision(), key + "=" + next);
          return;
        }
        case Conflict conflict -> seen = conflict.current();
        case Prevented prevented -> throw new AssertionError(prevented);
      }
    }
  }

  /** One store cannot reach its member while another one writes and etcd is compacted. */
  @Test
  void whoMissedWhatEtcdHasForgottenReadsAnew() throws Exception {
    EtcdProcess etcd = etcd(3);
    EtcdStore other = store(etcd);
    EtcdClient behind =
        new GrpcEtcdConnector()
            .connect(
                new EtcdConnector.Servers(
                    List.of(etcd.endpoints().getFirst()), List.of(), Optional.empty()));
    EtcdStore store = store(behind, EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX)));
    long before = ((Written) other.put("/k/1", new byte[] {'a'}, Store.ABSENT)).revision();
    store.sync();
    Observer observer = observer(store, "/k/");
    etcd.kill(0);
    var _ = other.put("/k/1", new byte[] {'b'}, before);
    var _ = other.put("/k/2", new byte[] {'c'}, Store.ABSENT);
    long last = ((Written) other.delete("/k/1", Store.ANY)).revision();
    EtcdClient compacting = EtcdStores.client(etcd);
    opened.add(compacting);
    compacting.compact(last, SHORT).get(10, TimeUnit.SECONDS);
    etcd.start(0);
    observer.awaitTooOld();
    assertThat(store.get("/k/1")).isEmpty();
    assertThat(store.get("/k/2")).isPresent();
    Observer again = observer(store, "/k/");
    long next = ((Written) other.put("/k/3", new byte[] {'d'}, Store.ABSENT)).revision();
    again.await(next);
    assertThat(again.told()).containsExactly(Map.entry(next, "/k/3=d"));
  }

  @Test
  void othersInTheSameEtcdDoNotKeepReadsWaiting() throws Exception {
    EtcdProcess etcd = etcd(1);
    EtcdStore store = store(etcd);
    EtcdClient foreign = EtcdStores.client(etcd);
    opened.add(foreign);
    for (int i = 0; i < 5; i++) {
      foreign
          .write(
              new EtcdClient.Write(
                  "/elsewhere".getBytes(UTF_8), new byte[0], new EtcdClient.Condition.Always(), 0),
              SHORT)
          .get(10, TimeUnit.SECONDS);
      store.sync();
    }
    assertThat(store.range(Store.RangeRequest.prefix("")))
        .isInstanceOfSatisfying(
            Store.RangeResult.Page.class, page -> assertThat(page.entries()).isEmpty());
  }

  /** What goes with its lease goes in one revision, which watches tell in full. */
  @Test
  void whatIsWrittenForATimeGoesByItself() {
    EtcdProcess etcd = etcd(1);
    EtcdStore store =
        store(
            EtcdStores.client(etcd),
            EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX))
                .ttl(key ->
                    key.startsWith("/short/")
                        ? Optional.of(Duration.ofSeconds(1))
                        : Optional.empty()));
    store.put("/long/1", new byte[0], Store.ABSENT);
    long last = 0;
    for (int i = 0; i < 20; i++) {
      last = ((Written) store.put("/short/" + i, new byte[0], Store.ABSENT)).revision();
    }
    int deleted = 0;
    long at = last;
    try (var watch = new dev.berth.store.BlockingWatch(store, "/short/", last)) {
      while (deleted < 20) {
        var poll = (dev.berth.store.Watch.Poll.Events) watch.take(3);
        deleted += poll.events().size();
        assertThat(poll.revision()).isGreaterThan(at);
        at = poll.revision();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(store.get("/long/1")).isPresent();
    assertThat(store.get("/short/7")).isEmpty();
  }

  /** As after a sleep of this machine, or when etcd was restored. */
  @Test
  void aLeaseThatEtcdDoesNotKnowAnyMoreIsReplaced() {
    EtcdProcess etcd = etcd(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    EtcdClient forgetting =
        new ForwardingEtcdClient(EtcdStores.client(etcd)) {
          @Override
          public CompletableFuture<Long> grantLease(Duration ttl, Duration timeout) {
            return isFirst.getAndSet(false)
                ? CompletableFuture.completedFuture(4711L)
                : super.grantLease(ttl, timeout);
          }
        };
    EtcdStore store =
        store(
            forgetting,
            EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX))
                .ttl(_ -> Optional.of(Duration.ofMinutes(1))));
    assertThat(store.put("/k/1", new byte[0], Store.ABSENT)).isInstanceOf(Written.class);
    assertThat(store.put("/k/2", new byte[0], Store.ABSENT)).isInstanceOf(Written.class);
  }

  /** The answer is lost, and somebody else deletes the object before anybody looks. */
  @Test
  void whatWasCreatedAndDeletedIsNotCreatedOnceMore() {
    EtcdProcess etcd = etcd(1);
    EtcdStore other = store(etcd);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    EtcdClient losing =
        new ForwardingEtcdClient(EtcdStores.client(etcd)) {
          @Override
          public CompletableFuture<WriteReply> write(Write write, Duration timeout) {
            if (!isFirst.getAndSet(false)) {
              return super.write(write, timeout);
            }
            assertThat(super.write(write, timeout).join().succeeded()).isTrue();
            assertThat(other.delete("/k/1", Store.ANY)).isInstanceOf(Written.class);
            return CompletableFuture.failedFuture(
                new EtcdException(EtcdException.Kind.NO_ANSWER, "the answer was lost", null));
          }
        };
    EtcdStore store = store(losing, EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX)));
    assertThatThrownBy(() -> store.put("/k/1", new byte[] {'1'}, Store.ABSENT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not known whether /k/1 was written");
    other.sync();
    assertThat(other.get("/k/1")).isEmpty();
  }

  @Test
  void oneOfTwoStoresCompactsEtcd() throws Exception {
    EtcdProcess etcd = etcd(1);
    Duration often = Duration.ofMillis(200);
    var options = EtcdOptions.of(PREFIX, new BelowPrefix(PREFIX)).compactionInterval(often);
    EtcdStore one = store(EtcdStores.client(etcd), options);
    var _ = store(EtcdStores.client(etcd), options);
    EtcdClient client = EtcdStores.client(etcd);
    opened.add(client);
    long old = ((Written) one.put("/k/1", new byte[] {'1'}, Store.ABSENT)).revision();
    byte[] from = "/registry/".getBytes(UTF_8);
    byte[] to = "/registry0".getBytes(UTF_8);
    while (true) {
      var read = client.range(new EtcdClient.Range(from, to, 1, old), SHORT);
      try {
        var _ = read.get(10, TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e).hasMessageContaining("compacted");
        return;
      }
      var _ = one.put("/k/1", new byte[] {'1'}, Store.ANY);
    }
  }
}
