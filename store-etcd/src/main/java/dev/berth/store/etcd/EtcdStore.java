package dev.berth.store.etcd;

import dev.berth.store.Keys;
import dev.berth.store.StoreException;
import dev.berth.store.Timeline;
import dev.berth.store.TimelineStore;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.etcd.EtcdClient.Condition;
import dev.berth.store.etcd.EtcdClient.KeyValue;
import dev.berth.store.etcd.EtcdClient.Range;
import dev.berth.store.etcd.EtcdClient.RangeReply;
import dev.berth.store.etcd.EtcdClient.Unchanged;
import dev.berth.store.etcd.EtcdClient.Write;
import dev.berth.store.etcd.EtcdClient.WriteReply;
import dev.berth.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store on etcd, which any number of servers share. Revisions are etcd's.
 *
 * <p>Everything live is in memory, with the recent past: read at the start at one revision, and
 * kept by one thread that follows one watch ({@link Feed}). Reads, lists and watches are served
 * from there. Writes are transactions of etcd's that compare the key's revision, sent by their
 * callers' threads, many at once; a write is acknowledged when etcd has acknowledged it and the
 * watch has told it, so that whoever reads here afterwards sees it. What others wrote elsewhere is
 * seen after {@link #sync}.
 *
 * <p>What survives what: etcd holds everything, and this process nothing. While etcd does not
 * answer or has no quorum, reads without {@link #sync} go on with what was last known, all else
 * fails after {@link EtcdOptions#patience}, and everything heals by itself. A write whose answer
 * was lost is sent again while its key is as it was expected to be, since then it cannot happen
 * twice; otherwise it ends as a {@link StoreException} that says that nobody knows whether it
 * happened.
 *
 * <p>The transaction of a guarded write also compares the revision of the guard's key, as it is
 * known here. If that has moved, the answer says what the key holds now; if that is accepted, too,
 * the write is sent again. So what is known here may be old, and a guard costs no request of its
 * own.
 */
public final class EtcdStore extends TimelineStore {

  /** The oldest etcd that has what is needed: fragments of events, reasons of cancellations. */
  private static final int[] OLDEST = {3, 4};

  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final EtcdClient client;
  private final EtcdOptions options;
  private final Time time;
  private final StoredValues values;
  private final PendingPuts pending = new PendingPuts();
  private final Reached reached;
  private final Feed feed;
  private final Barrier barrier;
  private final EtcdLeases leases;
  private final Compaction compaction;
  private final Thread thread;
  private final Decoding decoding = new Decoding();
  private final LongAdder transactions = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  private EtcdStore(
      EtcdClient client,
      EtcdOptions options,
      Time time,
      Keyspace keys,
      StoredValues values,
      Timeline timeline) {
    super(timeline);
    this.client = client;
    this.options = options;
    this.time = time;
    this.values = values;
    reached = new Reached(timeline.revision());
    feed = new Feed(client, keys, values, pending, timeline, reached, decoding, time);
    barrier = new Barrier(client, keys, reached, feed, options.patience(), time);
    leases = new EtcdLeases(client, time);
    compaction = Compaction.start(client, options.compactionInterval(), time);
    thread = Thread.ofPlatform().daemon().name("berth-etcd-feed").unstarted(feed);
  }

  /**
   * Opens the store. Everything is read, and decoded when somebody asks for it ({@link
   * #decodeAhead}); what cannot be decoded is an entry that is {@link dev.berth.store.Unreadable}.
   *
   * @param client is the store's from now on, and is closed with it
   */
  public static EtcdStore open(EtcdClient client, EtcdOptions options, Time time) {
    try {
      checkVersion(client);
      var keys = new Keyspace(options.prefix());
      var values = new StoredValues(options);
      Snapshot snapshot = Snapshot.read(client, keys, values);
      Timeline timeline = Timeline.of(snapshot.entries(), snapshot.revision(), options.history());
      var store = new EtcdStore(client, options, time, keys, values, timeline);
      store.thread.start();
      return store;
    } catch (EtcdException e) {
      client.close();
      throw new StoreException(
          "etcd at %s cannot be used: %s. Check that it runs, and the --etcd- options."
              .formatted(client.endpoints(), e.getMessage()));
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private static void checkVersion(EtcdClient client) {
    String version = Replies.await(client.version(WRITE_TIMEOUT), WRITE_TIMEOUT.multipliedBy(4));
    String[] parts = version.split("[.-]", 3);
    try {
      int major = Integer.parseInt(parts[0]);
      int minor = Integer.parseInt(parts.length > 1 ? parts[1] : "0");
      if (major > OLDEST[0] || (major == OLDEST[0] && minor >= OLDEST[1])) {
        return;
      }
    } catch (NumberFormatException e) {
      // Falls through: a version that says nothing is none that is known to work.
    }
    throw new StoreException(
        "etcd at %s is of version %s; Berth needs %d.%d or later: upgrade etcd."
            .formatted(client.endpoints(), version, OLDEST[0], OLDEST[1]));
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    var _ = timeline();
    Keys.check(key);
    if (view != null) {
      // What fails must fail before etcd has it.
      var _ = view.apply(new Entry(key, value, revision() + 1));
    }
    byte[] stored = values.stored(key, value);
    Instant began = time.monotonicNow();
    var put = new PendingPuts.Pending(value, stored, view);
    pending.add(key, put);
    try {
      long lease = lease(key);
      var write =
          new Write(
              values.etcdKey(key),
              stored,
              expected == ANY ? new Condition.Always() : new Condition.ModRevision(expected),
              lease);
      WriteResult result = send(new Sending(key, write, expected, guards, began));
      if (!(result instanceof WriteResult.Written(long revision, _))) {
        return result;
      }
      bytes.add(stored.length);
      Entry entry = put.told(revision).orElseGet(() -> new Entry(key, value, revision));
      return new WriteResult.Written(revision, Optional.of(entry));
    } finally {
      pending.remove(key, put);
    }
  }

  private long lease(String key) {
    Optional<Duration> ttl = options.ttl().apply(key);
    try {
      return ttl.isEmpty() ? 0 : leases.lease(ttl.get());
    } catch (EtcdException e) {
      throw failed(key, e);
    }
  }

  @Override
  public WriteResult delete(String key, long expected, List<Guard> guards) {
    var _ = timeline();
    Instant began = time.monotonicNow();
    if (expected == ABSENT) {
      // There is nothing to delete that would be as expected, whatever the key holds.
      sync();
      for (Guard guard : guards) {
        if (!guard.accepts(get(guard.key()))) {
          return new WriteResult.Prevented(guard, get(guard.key()));
        }
      }
      return new WriteResult.Conflict(get(key));
    }
    Condition condition =
        expected == ANY ? new Condition.Exists() : new Condition.ModRevision(expected);
    var write = new Write(values.etcdKey(key), null, condition, 0);
    return send(new Sending(key, write, expected, guards, began));
  }

  /** A write on its way to etcd. */
  private record Sending(
      String key, Write write, long expected, List<Guard> guards, Instant began) {

    /** Whether what its key holds does not prevent it. */
    boolean isExpected(Optional<KeyValue> current) {
      return switch (write.condition()) {
        case Condition.Always _ -> true;
        case Condition.Exists _ -> current.isPresent();
        case Condition.ModRevision(long revision) ->
            current.map(KeyValue::modRevision).orElse(ABSENT) == revision;
        case Condition.Version(long version) ->
            current.map(KeyValue::version).orElse(0L) == version;
      };
    }
  }

  /** What was written is told by the watch when this returns; the entry is the caller's. */
  private WriteResult send(Sending sending) {
    String key = sending.key;
    List<Unchanged> unchanged = new ArrayList<>();
    for (Guard guard : sending.guards) {
      Optional<Entry> guarding = guarding(guard);
      if (!guard.accepts(guarding)) {
        return new WriteResult.Prevented(guard, guarding);
      }
      unchanged.add(unchanged(guard, guarding));
    }
    Write write = sending.write.guarded(List.copyOf(unchanged));
    boolean mayHaveHappened = false;
    boolean hasNewLease = false;
    while (true) {
      try {
        WriteReply reply =
            Replies.await(client.write(write, WRITE_TIMEOUT), WRITE_TIMEOUT.plusSeconds(1));
        transactions.increment();
        if (reply.succeeded()) {
          barrier.awaitTold(reply.revision(), sending.began);
          return new WriteResult.Written(reply.revision(), Optional.empty());
        }
        boolean isExpected = sending.isExpected(reply.current());
        if (mayHaveHappened && !isExpected) {
          throw unknown(key, "an answer was lost, and the key was written since", null);
        }
        unchanged.clear();
        for (int i = 0; i < sending.guards.size(); i++) {
          Guard guard = sending.guards.get(i);
          Optional<KeyValue> stored = reply.guards().get(i);
          Optional<Entry> now = stored.map(found -> values.entry(guard.key(), found));
          if (!guard.accepts(now)) {
            return new WriteResult.Prevented(guard, found(guard.key(), stored, sending.began));
          }
          unchanged.add(unchanged(guard, now));
        }
        if (isExpected) {
          // A guard's key was written meanwhile, and is accepted as it is now.
          write = write.guarded(List.copyOf(unchanged));
          continue;
        }
        return new WriteResult.Conflict(found(key, reply.current(), sending.began));
      } catch (EtcdException e) {
        if (e.kind() == EtcdException.Kind.LEASE_GONE && !mayHaveHappened && !hasNewLease) {
          hasNewLease = true;
          leases.forget(write.lease());
          write = write.leased(lease(key));
          continue;
        }
        if (e.kind() != EtcdException.Kind.NO_ANSWER) {
          throw mayHaveHappened ? unknown(key, String.valueOf(e.getMessage()), e) : failed(key, e);
        }
        mayHaveHappened = true;
        if (sending.expected == ANY || !isStillExpected(sending) || mayHaveBeenCreated(sending)) {
          throw unknown(key, String.valueOf(e.getMessage()), e);
        }
      }
    }
  }

  /** What a guard's key holds, as it is known here, or else as it is. */
  private Optional<Entry> guarding(Guard guard) {
    Optional<Entry> known = get(guard.key());
    if (guard.accepts(known)) {
      return known;
    }
    sync();
    return get(guard.key());
  }

  private Unchanged unchanged(Guard guard, Optional<Entry> accepted) {
    return new Unchanged(values.etcdKey(guard.key()), accepted.map(Entry::revision).orElse(ABSENT));
  }

  /** Readers here must not see less than the writer is told. */
  private Optional<Entry> found(String key, Optional<KeyValue> found, Instant began) {
    if (found.isEmpty()) {
      if (get(key).isPresent()) {
        sync();
      }
      return Optional.empty();
    }
    KeyValue current = found.get();
    barrier.awaitTold(current.modRevision(), began);
    return Optional.of(
        get(key)
            .filter(entry -> entry.revision() == current.modRevision())
            .orElseGet(() -> values.entry(key, current)));
  }

  /**
   * Whether the key still is as the write expected it, so that the write may be sent again: of two
   * that expect the same revision, one at most happens.
   */
  private boolean isStillExpected(Sending sending) {
    byte[] sent = sending.write.key();
    while (time.since(sending.began).compareTo(options.patience()) < 0) {
      if (isClosed()) {
        return false;
      }
      try {
        var key = new Range(sent, Keyspace.after(sent), 1, 0);
        RangeReply read =
            Replies.await(client.range(key, READ_TIMEOUT), READ_TIMEOUT.plusSeconds(1));
        long now = read.entries().isEmpty() ? ABSENT : read.entries().getFirst().modRevision();
        return now == sending.expected;
      } catch (EtcdException e) {
        client.moveOn();
        pause();
      }
    }
    return false;
  }

  /** Ends sooner when the watch tells something, which means that etcd is back. */
  private void pause() {
    var next = reached.when(reached.revision() + 1);
    try {
      Replies.await(next, PAUSE);
    } catch (EtcdException e) {
      reached.forget(next);
    }
  }

  /**
   * Whether a key that does not exist may have been put by this very write and deleted again: then
   * it must not be put once more.
   */
  private boolean mayHaveBeenCreated(Sending sending) {
    if (sending.expected != ABSENT) {
      return false;
    }
    try {
      sync();
      return pending.wasTold(sending.key);
    } catch (StoreException e) {
      return true;
    }
  }

  private StoreException unknown(String key, String why, @Nullable Throwable cause) {
    return new StoreException(
        "It is not known whether %s was written, since etcd at %s did not answer: %s."
            .formatted(key, client.endpoints(), why),
        cause == null ? null : cause.getCause());
  }

  private StoreException failed(String key, EtcdException e) {
    return new StoreException(
        "%s was not written: etcd at %s says \"%s\"."
            .formatted(key, client.endpoints(), e.getMessage()));
  }

  @Override
  public void sync() {
    var _ = timeline();
    barrier.await();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean isStale(String key) {
    return values.isStale(key);
  }

  /** The key of some value that could not be read with another transformer, if there is one. */
  public Optional<String> firstUnreadable(ValueTransformer other) {
    return values.firstUnreadable(other);
  }

  /** What a key is called in etcd. */
  public String etcdKey(String key) {
    return options.layout().etcdKey(key);
  }

  /** Begins to decode what nobody has asked for, beside all else. */
  public void decodeAhead() {
    if (range(RangeRequest.prefix("")) instanceof RangeResult.Page all) {
      decoding.begin(all.entries());
    }
  }

  /** The keys of what cannot be decoded, and why. Everything is decoded for that. */
  public Map<String, String> unreadable() {
    Map<String, String> unreadable = new TreeMap<>();
    if (range(RangeRequest.prefix("")) instanceof RangeResult.Page all) {
      for (Entry entry : all.entries()) {
        var _ = entry.value();
        values.unreadable(entry).ifPresent(why -> unreadable.put(entry.key(), why));
      }
    }
    return unreadable;
  }

  /**
   * Puts a key of the prefix that is no object, and that goes by itself.
   *
   * @param name what follows the prefix and a slash
   */
  public void putBeside(String name, byte[] value, Duration ttl) {
    beside(
        name,
        () -> {
          var put = new Write(beside(name), value, new Condition.Always(), leases.lease(ttl));
          return Replies.await(client.write(put, WRITE_TIMEOUT), WRITE_TIMEOUT.plusSeconds(1));
        });
  }

  /** Deletes such a key, if it is there. */
  public void deleteBeside(String name) {
    beside(
        name,
        () -> {
          var delete = new Write(beside(name), null, new Condition.Exists(), 0);
          return Replies.await(client.write(delete, WRITE_TIMEOUT), WRITE_TIMEOUT.plusSeconds(1));
        });
  }

  /** What the names of such keys go on with behind a folder, which ends in a slash. */
  public List<String> namesBeside(String folder) {
    byte[] from = beside(folder);
    byte[] to = from.clone();
    to[to.length - 1]++;
    RangeReply read =
        beside(
            folder,
            () ->
                Replies.await(
                    client.range(new Range(from, to, Integer.MAX_VALUE, 0), READ_TIMEOUT),
                    READ_TIMEOUT.plusSeconds(1)));
    return read.entries().stream()
        .map(entry -> new String(entry.key(), StandardCharsets.UTF_8))
        .map(key -> key.substring(options.prefix().length() + 1 + folder.length()))
        .toList();
  }

  private byte[] beside(String name) {
    return (options.prefix() + "/" + name).getBytes(StandardCharsets.UTF_8);
  }

  private <T> T beside(String name, Supplier<T> request) {
    var _ = timeline();
    try {
      return request.get();
    } catch (EtcdException e) {
      throw new StoreException(
          "etcd at %s could not be asked about %s: %s."
              .formatted(client.endpoints(), name, e.getMessage()));
    }
  }

  @Override
  public Durable durable() {
    return new Durable(transactions.sum(), bytes.sum());
  }

  @Override
  public void close() {
    if (isClosed()) {
      return;
    }
    List<Runnable> wakes = endReading();
    compaction.close();
    decoding.close();
    feed.close();
    client.close();
    Wakes.run(wakes);
  }
}
