package dev.berth.store;

import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The present of a store, its recent past, and everybody who watches: what all stores share,
 * whatever makes their writes durable.
 *
 * <p>A store makes a {@link Draft}, lets it decide writes, makes it durable in its own way, and
 * publishes it. Only one draft may be open at a time: a store serializes its writers. Everything
 * else may be called from any thread and takes no lock that a writer holds for long.
 *
 * <p>Each resource has a {@link History} of its own. They are read at one revision: a draft's
 * changes are appended first and count only once the revision has moved on.
 */
public final class Timeline {

  /** The revision of a store nothing was written to: 1, as 0 asks for the current one. */
  public static final long FIRST_REVISION = 1;

  private final ReentrantLock changing = new ReentrantLock();
  private final HistoryLimits limits;
  private volatile long first;
  private final NavigableMap<String, History> histories = new ConcurrentSkipListMap<>();
  private final WatchIndex watches;
  private long bytes;
  private volatile long revision;

  /** Up to where {@link #compact} forgot; changed under the lock. */
  private volatile long released;

  private Timeline(long first, HistoryLimits limits) {
    this.first = first;
    this.limits = limits;
    watches = new WatchIndex(first);
    revision = first;
  }

  /** A timeline that begins empty. */
  public static Timeline empty(HistoryLimits limits) {
    return new Timeline(FIRST_REVISION, limits);
  }

  /** A timeline that begins with entries in any order; the array is sorted in place. */
  public static Timeline of(Entry[] entries, long revision, HistoryLimits limits) {
    Arrays.parallelSort(entries, Comparator.comparing(Entry::key));
    var timeline = new Timeline(revision, limits);
    firsts(entries, revision)
        .forEach((resource, begin) -> timeline.histories.put(resource, new History(begin, limits)));
    return timeline;
  }

  public long revision() {
    return revision;
  }

  public HistoryLimits limits() {
    return limits;
  }

  public long compactedRevision() {
    return compactedRevision(histories.values());
  }

  public long releasedRevision() {
    return released;
  }

  /** The oldest revision at which all of these can be read, and from which they can be watched. */
  long compactedRevision(Collection<History> of) {
    long compacted = first;
    for (History history : of) {
      compacted = Math.max(compacted, history.compactedRevision());
    }
    return compacted;
  }

  public Optional<Entry> get(String key) {
    History history = history(Keys.resource(key));
    if (history == null) {
      return Optional.empty();
    }
    return Optional.ofNullable(now(history).entries().get(key));
  }

  /** What a resource is now: what was published of it, and not what is just being published. */
  private Change now(History history) {
    Change now;
    do {
      now = history.asOf(revision);
      // Null if so much was written meanwhile that it was forgotten already.
    } while (now == null);
    return now;
  }

  /** How many keys there are. */
  public int size() {
    return histories.values().stream().mapToInt(history -> now(history).entries().size()).sum();
  }

  public RangeResult range(RangeRequest request) {
    RangeResult result;
    do {
      result = rangeOnce(request);
      // Null if so much was written meanwhile that it was forgotten already.
    } while (result == null);
    return result;
  }

  private @Nullable RangeResult rangeOnce(RangeRequest request) {
    long now = revision;
    if (request.revision() > now) {
      return new RangeResult.NotYet(now);
    }
    boolean current = request.revision() == RangeRequest.CURRENT;
    long at = current ? now : request.revision();
    Collection<History> of = histories(request.from(), request.to());
    if (request.indexed() != null) {
      of.forEach(this::buildIndex);
    }
    List<SortedEntries<Entry>> parts = new ArrayList<>();
    for (History history : of) {
      Change then = history.asOf(at);
      if (then == null) {
        return current ? null : new RangeResult.TooOld(compactedRevision(of));
      }
      parts.add(entries(history, then, request.indexed()));
    }
    if (at < first) {
      return new RangeResult.TooOld(compactedRevision(of));
    }
    return page(parts, request, at);
  }

  private static RangeResult.Page page(
      List<SortedEntries<Entry>> parts, RangeRequest request, long revision) {
    if (parts.size() == 1) {
      SortedEntries<Entry> only = parts.getFirst();
      List<Entry> page = only.range(request.from(), request.to(), request.limit());
      long all = only.count(request.from(), request.to());
      return new RangeResult.Page(page, revision, all - page.size());
    }
    List<Entry> page = new ArrayList<>();
    long all = 0;
    for (SortedEntries<Entry> part : parts) {
      page.addAll(part.range(request.from(), request.to(), request.limit() - page.size()));
      all += part.count(request.from(), request.to());
    }
    return new RangeResult.Page(List.copyOf(page), revision, all - page.size());
  }

  /** Revisions from before there was an index are searched. */
  private static SortedEntries<Entry> entries(
      History history, Change then, @Nullable String value) {
    if (value == null) {
      return then.entries();
    }
    FieldIndex index = then.index();
    if (index != null) {
      return index.entries(value);
    }
    Function<Entry, String> field = indexedField(history);
    return SortedEntries.ofSorted(
        History.allOf(then).stream()
            .filter(entry -> field.apply(entry).equals(value))
            .toArray(Entry[]::new));
  }

  private static Function<Entry, String> indexedField(History history) {
    Function<Entry, String> field = history.indexedField();
    if (field == null) {
      throw new IllegalArgumentException("Only what is indexed can be read by a value.");
    }
    return field;
  }

  /** Declares the field that a resource is indexed by. */
  public void index(String resource, Function<Entry, String> field) {
    if (!Keys.resource(resource).equals(resource)) {
      throw new IllegalArgumentException(resource + " is not a whole resource.");
    }
    changing.lock();
    try {
      open(resource).index(field);
    } finally {
      changing.unlock();
    }
  }

  /**
   * Builds a resource's index when it is asked for first, since all entries must be read for it.
   * They are before the lock is taken, and stay read, so that writers need not wait for that.
   */
  private void buildIndex(History history) {
    if (history.present().index() != null) {
      return;
    }
    Function<Entry, String> field = indexedField(history);
    for (Entry entry : History.allOf(history.present())) {
      var _ = field.apply(entry);
    }
    changing.lock();
    try {
      history.buildIndex();
    } finally {
      changing.unlock();
    }
  }

  public Watch watch(String prefix, Topic topic, long afterRevision, Runnable onReady) {
    long now = revision();
    if (afterRevision > now || afterRevision < 0) {
      throw new IllegalArgumentException(
          "A watch cannot begin after revision %d: the store is at %d."
              .formatted(afterRevision, now));
    }
    return new HistoryWatch(this, new WatchIndex.Reader(prefix, topic, afterRevision, onReady));
  }

  public void compact(long upTo) {
    changing.lock();
    try {
      if (upTo > revision()) {
        throw new IllegalArgumentException(
            "History cannot be forgotten up to revision %d: the store is at %d."
                .formatted(upTo, revision()));
      }
      for (History history : histories.values()) {
        long before = history.bytes();
        history.compact(upTo);
        bytes += history.bytes() - before;
      }
      released = Math.max(released, upTo);
    } finally {
      changing.unlock();
    }
  }

  /** Begins to decide writes on top of what is published. */
  public Draft draft() {
    return new Draft(this);
  }

  /**
   * Makes a draft's writes visible to everybody at once.
   *
   * @return the watchers to wake, to be run outside of the store's locks
   */
  public List<Runnable> publish(Draft draft) {
    List<Change> changes = draft.changes();
    if (changes.isEmpty() && draft.revision() <= revision) {
      return List.of();
    }
    changing.lock();
    try {
      for (Change change : changes) {
        History history = open(Keys.resource(change.written().key()));
        long before = history.bytes();
        history.append(change);
        bytes += history.bytes() - before;
      }
      revision = draft.revision();
      while (bytes > limits.totalBytes()) {
        History largest = largest();
        long before = largest.bytes();
        largest.forgetOldest();
        bytes += largest.bytes() - before;
      }
    } finally {
      changing.unlock();
    }
    return watches.advance(changes, draft.revision());
  }

  /**
   * Begins anew with entries in any order, since what happened up to a revision can no longer be
   * told: whoever has not seen all of it is told so. The array is sorted in place.
   *
   * @return the watchers to wake, to be run outside of the store's locks
   */
  public List<Runnable> restart(Entry[] entries, long at) {
    Arrays.parallelSort(entries, Comparator.comparing(Entry::key));
    Map<String, Change> firsts = firsts(entries, at);
    changing.lock();
    try {
      first = at;
      histories.forEach((resource, history) -> {
        Change begin = firsts.remove(resource);
        history.restart(begin == null ? Change.first(at, SortedEntries.empty()) : begin);
      });
      firsts.forEach((resource, begin) -> histories.put(resource, new History(begin, limits)));
      bytes = 0;
      revision = at;
    } finally {
      changing.unlock();
    }
    return watches.restart(at);
  }

  private static Map<String, Change> firsts(Entry[] sorted, long at) {
    Map<String, Change> firsts = new TreeMap<>();
    int begin = 0;
    while (begin < sorted.length) {
      String resource = Keys.resource(sorted[begin].key());
      int end = begin + 1;
      while (end < sorted.length && Keys.resource(sorted[end].key()).equals(resource)) {
        end++;
      }
      var all = SortedEntries.ofSorted(Arrays.copyOfRange(sorted, begin, end));
      firsts.put(resource, Change.first(at, all));
      begin = end;
    }
    return firsts;
  }

  private History largest() {
    return histories.values().stream()
        .max(Comparator.comparingLong(History::bytes))
        .orElseThrow(() -> new IllegalStateException("Nobody has what is counted."));
  }

  /** Ends all watches; returns those to wake, so that they learn of it. */
  public List<Runnable> endWatches() {
    return watches.close();
  }

  @Nullable History history(String resource) {
    return histories.get(resource);
  }

  private History open(String resource) {
    return histories.computeIfAbsent(
        resource, _ -> new History(Change.first(first, SortedEntries.empty()), limits));
  }

  /** The resources with keys in a range, in the order of their keys. */
  private Collection<History> histories(String from, String to) {
    String start = Keys.resource(from);
    return to.equals(Keys.NO_END)
        ? histories.tailMap(start, true).values()
        : start.compareTo(to) >= 0 ? List.of() : histories.subMap(start, true, to, false).values();
  }

  /** The resources with keys that begin with a prefix, those included that are yet to be made. */
  Collection<History> histories(String prefix) {
    return histories(prefix, Keys.endOfPrefix(prefix));
  }

  WatchIndex watches() {
    return watches;
  }
}
