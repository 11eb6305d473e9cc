package dev.berth.client.http;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The servers of a cluster. One of them is asked until it does not answer, then the next. */
final class Servers {
  private final List<Addresses> all;
  private final AtomicInteger asked;

  /**
   * @param first the one to begin with, so that not all clients ask the same
   */
  Servers(List<URI> servers, int first) {
    all = servers.stream().map(Addresses::new).toList();
    asked = new AtomicInteger(first);
  }

  int count() {
    return all.size();
  }

  Addresses current() {
    return all.get(asked.get());
  }

  /**
   * Moves on from a server that does not answer.
   *
   * @return false if somebody has done so already, or there is no other
   */
  boolean leave(Addresses server) {
    int index = all.indexOf(server);
    return all.size() > 1 && asked.compareAndSet(index, (index + 1) % all.size());
  }
}
