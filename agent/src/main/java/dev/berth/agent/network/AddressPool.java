package dev.berth.agent.network;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which addresses of this node's ranges are in use. They are given out in turn, so that one that
 * was just given back is not soon somebody else's. What pods have is written down by them; a new
 * agent takes it from there.
 */
public final class AddressPool {
  private final Set<String> used = new HashSet<>();
  private final Map<String, Long> next = new HashMap<>();

  /** Notes that a pod has addresses. */
  public synchronized void take(List<String> addresses) {
    used.addAll(addresses);
  }

  /** Gives out an address of each range. */
  public synchronized List<String> allocate(List<String> cidrs) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String cidr : cidrs) {
      addresses.add(allocate(cidr));
    }
    used.addAll(addresses);
    return addresses;
  }

  private String allocate(String text) throws IOException {
    PodRange cidr = PodRange.parse(text);
    long usable = cidr.usable();
    long start = next.getOrDefault(text, 0L);
    for (long i = 0; i < usable; i++) {
      long place = (start + i) % usable;
      String address = cidr.address(place + 2);
      if (!used.contains(address)) {
        next.put(text, place + 1);
        return address;
      }
    }
    throw new IOException("no address is free in the node's range " + text);
  }

  public synchronized void release(List<String> addresses) {
    used.removeAll(Set.copyOf(addresses));
  }
}
