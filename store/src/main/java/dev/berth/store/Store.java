package dev.berth.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map from keys to bytes that never loses a write and can be watched.
 *
 * <p>The rules, which {@code StoreContract} proves of every implementation:
 *
 * <ol>
 *   <li>There is one revision for the whole store. Every write that succeeds takes a higher one;
 *       they only rise, through restarts and crashes too. A new store is at revision 1, never at 0.
 *   <li>A write that was acknowledged is durable and is seen by every read that begins afterwards.
 *   <li>A write names the revision it expects its key to have; if the key has another, nothing
 *       happens and the caller is told what is there.
 *   <li>A write may be guarded by other keys; it happens only while each holds what its guard
 *       accepts, at the very moment of the write and whoever writes that key.
 *   <li>A range is read at one revision, the current or a recent one, and is consistent whatever is
 *       written meanwhile. So are all pages of a range that name the same revision.
 *   <li>A watch delivers every write after a revision, in order, each once, or says that it cannot.
 *   <li>History is bounded, for each resource on its own: what can no longer be told in full is
 *       refused, never guessed. A resource that is seldom written keeps its history however much is
 *       written to others.
 * </ol>
 *
 * <p>Keys are ordered as {@link String#compareTo} does and look like {@code
 * /registry/pods/default/web}; what goes up to the third slash is the key's resource. Values are
 * shared, not copied: nobody changes an array that was given to a store or came out of one. All
 * methods may be called from any thread. Failures of the medium (a full disk, a damaged file) are
 * {@link StoreException}s, whose message is a sentence for the operator.
 */
public interface Store extends AutoCloseable {

  /**
   * What a key holds, and the revision of the write that put it there.
   *
   * <p>An entry lives as long as the store shows it to anybody, so what a reader made of the bytes
   * can be kept right here: it is there for every other reader, and goes when the entry goes.
   */
  final class Entry implements Keyed {
    private final String key;
    private final long revision;
    private final int size;
    private final AtomicReference<@Nullable Object> view = new AtomicReference<>();

    /** The bytes, or what they are made of. */
    private volatile Object value;

    public Entry(String key, byte[] value, long revision) {
      this.key = key;
      this.value = value;
      this.revision = revision;
      size = value.length;
    }

    /**
     * The same of a value that is made when somebody asks for it first.
     *
     * @param size about how many bytes it will have
     */
    public Entry(String key, Encoded value, int size, long revision) {
      this.key = key;
      this.value = value;
      this.revision = revision;
      this.size = size;
    }

    @Override
    public String key() {
      return key;
    }

    public byte[] value() {
      return value instanceof byte[] known ? known : decoded();
    }

    /** Once: who comes meanwhile waits, which takes less than to do the same beside it. */
    private synchronized byte[] decoded() {
      Object now = value;
      byte[] bytes = now instanceof Encoded encoded ? encoded.decode(this) : (byte[]) now;
      value = bytes;
      return bytes;
    }

    /** About how many bytes the value has; always the same, and known without making it. */
    public int size() {
      return size;
    }

    public long revision() {
      return revision;
    }

    /**
     * What a reader makes of this entry, made once: all readers of one type share what the first
     * one made. There is room for one type; who asks for another makes its own each time.
     */
    public <T> T view(Class<T> type, Function<Entry, T> make) {
      Object kept = view.get();
      if (kept == null) {
        T made = make.apply(this);
        if (view.compareAndSet(null, made)) {
          return made;
        }
        kept = view.get();
      }
      return type.isInstance(kept) ? type.cast(kept) : make.apply(this);
    }

    @Override
    public String toString() {
      return key + "@" + revision;
    }
  }

  /** A value in a form that readers do not know. */
  interface Encoded {
    /** The value that readers see. Called once by each entry, which may be marked meanwhile. */
    byte[] decode(Entry entry);
  }

  /** The expected revision of a key that must not exist yet. */
  long ABSENT = 0;

  /** Accepts whatever the key holds, or that it holds nothing. */
  long ANY = -1;

  /** How a write ended. */
  sealed interface WriteResult {
    /**
     * The write is durable; the whole store is now at {@code revision}.
     *
     * @param entry what the key holds now; empty after a delete
     */
    record Written(long revision, Optional<Entry> entry) implements WriteResult {}

    /** Nothing was written, because the key holds {@code current} instead of what was expected. */
    record Conflict(Optional<Entry> current) implements WriteResult {}

    /** Nothing was written, because a guard does not accept what its key holds. */
    record Prevented(Guard guard, Optional<Entry> current) implements WriteResult {}
  }

  /**
   * What must hold of another key for a write to happen, such as that its writer still leads.
   *
   * @param accepts what the key may hold; quick, and asked as often as the key changes meanwhile. A
   *     key that is absent is never accepted.
   */
  record Guard(String key, Predicate<Entry> accepts) {
    public boolean accepts(Optional<Entry> current) {
      return current.filter(accepts).isPresent();
    }
  }

  /** Puts a value, if the key's revision is {@code expected} (or that is {@link #ANY}). */
  default WriteResult put(String key, byte[] value, long expected) {
    return put(key, value, expected, null);
  }

  /**
   * The same, by a writer who knows what readers will make of the value and saves them the work.
   *
   * @param view makes that {@link Entry#view view} of the new entry before anybody sees it; must be
   *     quick, since other writes wait
   */
  default WriteResult put(
      String key, byte[] value, long expected, @Nullable Function<Entry, ?> view) {
    return put(key, value, expected, view, List.of());
  }

  /**
   * The same, guarded.
   *
   * @param guards what else must hold
   */
  WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards);

  /** Deletes a key, if its revision is {@code expected}. */
  default WriteResult delete(String key, long expected) {
    return delete(key, expected, List.of());
  }

  /**
   * The same, guarded. Deleting what is not there is a conflict with an empty entry, also with
   * {@link #ANY}: nothing happened, so no revision was taken.
   */
  WriteResult delete(String key, long expected, List<Guard> guards);

  /**
   * Whether a value should be written again though it has not changed, since it is kept in a form
   * that is no longer written, such as encrypted with a key that is being replaced.
   */
  default boolean isStale(String key) {
    return false;
  }

  /** What the key holds now. */
  Optional<Entry> get(String key);

  /**
   * Which keys to read: those from {@code from} (inclusive) to {@code to} (exclusive, or {@link
   * Keys#NO_END}), at most {@code limit} of them (0 only counts), as they were at {@code revision}.
   *
   * @param indexed only those whose {@link #index indexed} field has this value; null for all
   */
  record RangeRequest(String from, String to, int limit, long revision, @Nullable String indexed) {
    public RangeRequest {
      if (limit < 0 || revision < 0) {
        throw new IllegalArgumentException(
            "A range has no negative limit (%d) or revision (%d).".formatted(limit, revision));
      }
    }

    /** Reads at the current revision. */
    public static final long CURRENT = 0;

    public RangeRequest(String from, String to, int limit, long revision) {
      this(from, to, limit, revision, null);
    }

    /** Every key with the prefix, at the current revision. */
    public static RangeRequest prefix(String prefix) {
      return new RangeRequest(prefix, Keys.endOfPrefix(prefix), Integer.MAX_VALUE, CURRENT);
    }

    public RangeRequest limit(int limit) {
      return new RangeRequest(from, to, limit, revision, indexed);
    }

    public RangeRequest at(long revision) {
      return new RangeRequest(from, to, limit, revision, indexed);
    }

    /** Only the entries whose indexed field has a value. */
    public RangeRequest indexed(String value) {
      return new RangeRequest(from, to, limit, revision, value);
    }

    /** The rest of the range, behind the last key of a page and at that page's revision. */
    public RangeRequest after(String lastKey, long pageRevision) {
      return new RangeRequest(lastKey + '\0', to, limit, pageRevision, indexed);
    }
  }

  /** How a range ended. */
  sealed interface RangeResult {
    /**
     * The entries in key order, the revision they were read at, and how many the limit left out.
     */
    record Page(List<Entry> entries, long revision, long remaining) implements RangeResult {}

    /** The revision asked for is no longer kept; the oldest one that is, for this range. */
    record TooOld(long compactedRevision) implements RangeResult {}

    /** The revision asked for has not happened yet. */
    record NotYet(long currentRevision) implements RangeResult {}
  }

  RangeResult range(RangeRequest request);

  /**
   * Indexes a resource by the value of a field of its entries, so that ranges and watches of one
   * value need not look at the others. A resource has one index; whoever comes second finds it
   * there.
   *
   * @param resource what all its keys begin with, such as {@code /registry/pods/}
   * @param value reads the field; the same for the same entry, and never fails
   */
  void index(String resource, Function<Entry, String> value);

  /** Watches all keys with a prefix. */
  default Watch watch(String prefix, long afterRevision, Runnable onReady) {
    return watch(prefix, Topic.ALL, afterRevision, onReady);
  }

  /**
   * Watches the keys with a prefix, from the first write after {@code afterRevision} on.
   *
   * <p>Nothing is pushed: the reader polls at its own pace from the store's shared history, so a
   * slow reader costs no memory and, once it has fallen behind the history, is told so. {@code
   * onReady} is called when there is something to poll after a poll that found nothing; it may be
   * called from any thread, and must return at once and not call back into the store.
   *
   * @param topic which writes to these keys; the others neither wake nor reach the reader
   * @param afterRevision a revision the reader has seen, such as a page's; not in the future
   */
  Watch watch(String prefix, Topic topic, long afterRevision, Runnable onReady);

  /** The revision of the latest write. */
  long revision();

  /**
   * Waits until everything can be read that was acknowledged to anybody before this call. Where
   * several servers share a store, what another one wrote comes here a moment later; a read that
   * must not miss it calls this first.
   */
  default void sync() {}

  /** Whether others write to it beside this process, so that {@link #sync} does something. */
  default boolean isShared() {
    return false;
  }

  /**
   * The oldest revision at which everything can be read, and from which everything can be watched.
   * Below it, some resource has forgotten something; the others still answer.
   */
  long compactedRevision();

  /**
   * Forgets the writes up to a revision, which is itself still readable. Whoever has missed one of
   * them is told so; a resource without such writes has nothing to forget.
   */
  void compact(long revision);

  /**
   * The revision up to which writes were forgotten by {@link #compact}, whether there were any or
   * not.
   */
  long releasedRevision();

  /** How much of the past is kept. */
  HistoryLimits historyLimits();

  /**
   * What was made durable since the store was opened.
   *
   * @param transactions each of one write or of many, and each synced to the disk once
   * @param bytes of the values that were written
   */
  record Durable(long transactions, long bytes) {}

  /** See {@link Durable}; nothing for a store that keeps everything in memory. */
  default Durable durable() {
    return new Durable(0, 0);
  }

  /**
   * Why writes are refused until somebody mends something and restarts; empty while they are not.
   */
  default Optional<StoreException> failure() {
    return Optional.empty();
  }

  /** Waits for writes under way, then releases everything. Watches end; later calls fail. */
  @Override
  void close();
}
