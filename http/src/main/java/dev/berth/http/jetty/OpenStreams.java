package dev.berth.http.jetty;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The answers without an end that are open, so that a server that stops can ask them to end; and
 * whether it does. Thread-safe.
 */
final class OpenStreams {
  private final Set<Endable> open = ConcurrentHashMap.newKeySet();
  private volatile boolean leaving;
  private volatile boolean ending;

  /** From now on each answer is the last one of its connection, where that has one at a time. */
  void leave() {
    leaving = true;
  }

  boolean isLeaving() {
    return leaving;
  }

  void add(Endable stream) {
    open.add(stream);
    if (ending) {
      stream.tell();
    }
  }

  void remove(Endable stream) {
    open.remove(stream);
  }

  /** Asks all streams to end, those that are yet to be opened too. */
  void end() {
    ending = true;
    open.forEach(Endable::tell);
  }
}
