package dev.berth.http.jetty;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watches that are open, so that a server that stops can ask them to end. Thread-safe. */
final class OpenStreams {
  private final Set<JettyStream> open = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

  void add(JettyStream stream) {
    open.add(stream);
    if (ending) {
      stream.tell();
    }
  }

  void remove(JettyStream stream) {
    open.remove(stream);
  }

  /** Asks all streams to end, those that are yet to be opened too. */
  void end() {
    ending = true;
    open.forEach(JettyStream::tell);
  }
}
