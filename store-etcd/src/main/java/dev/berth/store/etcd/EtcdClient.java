package dev.berth.store.etcd;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Requests to etcd, whatever carries them. Each is one attempt at one member; when a member does
 * not answer, the next request goes to another one. Requests need the quorum: what is read is what
 * was last acknowledged to anybody.
 *
 * <p>Futures fail with an {@link EtcdException}. They are completed by the thread that does all
 * reading and writing, so what is attached to them must be short.
 */
@SuppressWarnings("ArrayRecordComponent") // keys and values are etcd's bytes; nobody compares these
public interface EtcdClient extends AutoCloseable {

  /**
   * A key and what it holds.
   *
   * @param version how often it was written since it was created
   */
  record KeyValue(byte[] key, byte[] value, long modRevision, long version) {}

  /**
   * Keys to read.
   *
   * @param to exclusive
   * @param limit 0 reads no more than the revision
   * @param revision 0 for the current one
   */
  record Range(byte[] from, byte[] to, int limit, long revision) {}

  /**
   * What was read.
   *
   * @param revision of all of etcd, when it was read
   */
  record RangeReply(List<KeyValue> entries, boolean more, long revision) {}

  CompletableFuture<RangeReply> range(Range range, Duration timeout);

  /** What a key must be like for a write to happen. */
  sealed interface Condition {
    record Always() implements Condition {}

    record Exists() implements Condition {}

    /** 0 if it must not exist. */
    record ModRevision(long revision) implements Condition {}

    /** 0 if it must not exist. */
    record Version(long version) implements Condition {}
  }

  /**
   * A write of one key.
   *
   * @param value null deletes it
   * @param lease with whose end the key goes; 0 for none
   * @param guards other keys that must be as they were
   */
  record Write(
      byte[] key,
      byte @Nullable [] value,
      Condition condition,
      long lease,
      List<Unchanged> guards) {
    public Write(byte[] key, byte @Nullable [] value, Condition condition, long lease) {
      this(key, value, condition, lease, List.of());
    }

    Write leased(long other) {
      return new Write(key, value, condition, other, guards);
    }

    Write guarded(List<Unchanged> others) {
      return new Write(key, value, condition, lease, others);
    }
  }

  /** A key that was last written at a revision. */
  record Unchanged(byte[] key, long modRevision) {}

  /**
   * What came of it.
   *
   * @param revision of the write, if it succeeded
   * @param current what the key holds, if it did not
   * @param guards what the guards' keys hold, if it did not
   */
  record WriteReply(
      boolean succeeded,
      long revision,
      Optional<KeyValue> current,
      List<Optional<KeyValue>> guards) {}

  CompletableFuture<WriteReply> write(Write write, Duration timeout);

  /** Makes a lease; its number. */
  CompletableFuture<Long> grantLease(Duration ttl, Duration timeout);

  /** Makes all members forget what was before a revision. */
  CompletableFuture<Void> compact(long revision, Duration timeout);

  /** The version of the member that answers first, such as 3.4.23. */
  CompletableFuture<String> version(Duration timeout);

  /** One write that a watch tells. */
  record Event(boolean isDelete, KeyValue entry) {}

  /** Hears what a watch tells, on the thread that reads. */
  interface WatchListener {
    /** What happened, in order, with all of one revision together. */
    void events(List<Event> events);

    /** The watch has ended and tells no more. */
    void ended(EtcdException why);
  }

  /** A watch under way. */
  interface Watching extends AutoCloseable {
    /** Lets it tell more: it stops after each {@link WatchListener#events} until it is asked. */
    void more();

    @Override
    void close();
  }

  /** Watches keys from a revision on, at the member that requests go to at present. */
  Watching watch(byte[] from, byte[] to, long startRevision, WatchListener listener);

  /** Sends requests to another member from now on, if there is one. */
  void moveOn();

  /** The members that are asked, for messages. */
  String endpoints();

  @Override
  void close();
}
