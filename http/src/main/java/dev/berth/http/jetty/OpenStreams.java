package dev.berth.http.jetty;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The answers without an end that are open, so that a server that stops can ask them to end.
 * Thread-safe.
 */
final class OpenStreams {
  private final Set<Endable> open = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

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
