package dev.berth.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The readers that wait for something to happen, found by the keys that are written.
 *
 * <p>A reader that polled and found nothing is <em>armed</em>: it has seen everything so far, and
 * what does not match its prefix and its topic does not concern it. So its place moves along for
 * free, and history may forget what it never had to read. The first matching write disarms it,
 * fixes its place just before that write, and wakes it.
 *
 * <p>A writer finds the armed readers of a key in one pass over the key: it carries the hash of the
 * part passed so far, and wherever some armed prefix ends, looks it up with each of the few topics
 * that the write has. The cost does not depend on how many readers, prefixes or topics there are,
 * only on how many different lengths the prefixes have.
 */
final class WatchIndex {

  /**
   * One reader's place. Its owner changes it while unarmed; while armed, the index's lock guards
   * it.
   */
  static final class Reader {
    final String prefix;
    final Topic topic;
    final Runnable onReady;
    long position;
    volatile boolean armed;
    volatile boolean closed;

    Reader(String prefix, Topic topic, long position, Runnable onReady) {
      this.prefix = prefix;
      this.topic = topic;
      this.position = position;
      this.onReady = onReady;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, List<Group>> groupsByHash = new HashMap<>();
  private final TreeMap<Integer, Integer> groupsByLength = new TreeMap<>();
  private int[] lengths = {};

  /** The last revision whose readers were disarmed; changed under the lock. */
  private volatile long seen;

  private volatile boolean closed;

  /**
   * The armed readers of one topic of one prefix, in the order they were armed: simulations repeat
   * exactly.
   */
  private record Group(String prefix, Topic topic, Set<Reader> armed) {
    boolean isFor(String otherPrefix, Topic otherTopic) {
      return topic.equals(otherTopic) && prefix.equals(otherPrefix);
    }

    int hash() {
      return WatchIndex.hash(prefix.hashCode(), topic);
    }
  }

  WatchIndex(long revision) {
    seen = revision;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether whoever is concerned by what was written up to a revision is disarmed. */
  boolean hasSeen(long revision) {
    return seen >= revision;
  }

  /** False if the reader must look again: something was published, or the watch has ended. */
  boolean arm(Reader reader) {
    lock.lock();
    try {
      if (reader.closed || closed || seen > reader.position) {
        return false;
      }
      reader.armed = true;
      groupOf(reader.prefix, reader.topic).armed.add(reader);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the place back to the reader's owner, moved behind all that did not concern it. */
  void disarm(Reader reader) {
    lock.lock();
    try {
      if (reader.armed) {
        reader.armed = false;
        reader.position = Math.max(reader.position, seen);
        leave(reader);
      }
    } finally {
      lock.unlock();
    }
  }

  void close(Reader reader) {
    reader.closed = true;
    disarm(reader);
  }

  /** Takes note of what was just published; returns the readers to wake. */
  List<Runnable> advance(List<Change> changes, long revision) {
    lock.lock();
    try {
      List<Runnable> wakes = new ArrayList<>();
      for (Change change : changes) {
        if (lengths.length == 0) {
          break;
        }
        wake(change, wakes);
      }
      seen = Math.max(seen, revision);
      return wakes;
    } finally {
      lock.unlock();
    }
  }

  /** Nobody's place can be told from any more; returns the readers to wake. */
  List<Runnable> restart(long revision) {
    lock.lock();
    try {
      List<Runnable> wakes = disarmAll();
      seen = Math.max(seen, revision);
      return wakes;
    } finally {
      lock.unlock();
    }
  }

  List<Runnable> close() {
    lock.lock();
    try {
      closed = true;
      return disarmAll();
    } finally {
      lock.unlock();
    }
  }

  private List<Runnable> disarmAll() {
    List<Runnable> wakes = new ArrayList<>();
    for (List<Group> groups : groupsByHash.values()) {
      for (Group group : groups) {
        for (Reader reader : group.armed) {
          reader.armed = false;
          reader.position = Math.max(reader.position, seen);
          wakes.add(reader.onReady);
        }
      }
    }
    groupsByHash.clear();
    groupsByLength.clear();
    lengths = new int[0];
    return wakes;
  }

  private void wake(Change change, List<Runnable> wakes) {
    String key = change.written().key();
    List<Topic> topics = change.topics();
    List<Group> emptied = new ArrayList<>();
    int hash = 0;
    int at = 0;
    for (int length : lengths) {
      if (length > key.length()) {
        break;
      }
      for (; at < length; at++) {
        hash = 31 * hash + key.charAt(at);
      }
      for (Topic topic : topics) {
        List<Group> groups = groupsByHash.get(hash(hash, topic));
        // Nobody, nearly always.
        if (groups == null) {
          continue;
        }
        for (Group group : groups) {
          if (group.prefix.length() == length
              && group.topic.equals(topic)
              && key.startsWith(group.prefix)) {
            group.armed.removeIf(reader -> wake(reader, change.revision(), wakes));
            if (group.armed.isEmpty()) {
              emptied.add(group);
            }
          }
        }
      }
    }
    emptied.forEach(this::remove);
  }

  /** A reader may have polled this write already, between its publication and now. */
  private static boolean wake(Reader reader, long revision, List<Runnable> wakes) {
    if (reader.position >= revision) {
      return false;
    }
    reader.position = revision - 1;
    reader.armed = false;
    wakes.add(reader.onReady);
    return true;
  }

  private static int hash(int prefixHash, Topic topic) {
    return 31 * prefixHash + topic.hashCode();
  }

  private Group groupOf(String prefix, Topic topic) {
    int hash = hash(prefix.hashCode(), topic);
    List<Group> groups = groupsByHash.computeIfAbsent(hash, h -> new ArrayList<>(1));
    for (Group group : groups) {
      if (group.isFor(prefix, topic)) {
        return group;
      }
    }
    var group = new Group(prefix, topic, new LinkedHashSet<>());
    groups.add(group);
    if (groupsByLength.merge(prefix.length(), 1, Integer::sum) == 1) {
      rememberLengths();
    }
    return group;
  }

  private void leave(Reader reader) {
    int hash = hash(reader.prefix.hashCode(), reader.topic);
    for (Group group : groupsByHash.getOrDefault(hash, List.of())) {
      if (group.isFor(reader.prefix, reader.topic)) {
        group.armed.remove(reader);
        if (group.armed.isEmpty()) {
          remove(group);
        }
        return;
      }
    }
  }

  private void remove(Group group) {
    int hash = group.hash();
    List<Group> groups = groupsByHash.getOrDefault(hash, List.of());
    groups.remove(group);
    if (groups.isEmpty()) {
      groupsByHash.remove(hash);
    }
    if (groupsByLength.merge(group.prefix.length(), -1, Integer::sum) == 0) {
      groupsByLength.remove(group.prefix.length());
      rememberLengths();
    }
  }

  private void rememberLengths() {
    lengths = groupsByLength.keySet().stream().mapToInt(Integer::intValue).toArray();
  }
}
