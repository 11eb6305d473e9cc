package dev.berth.agent.server;

import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers that are good for a while. Whoever asks for many different things pushes the oldest out.
 * Thread-safe.
 */
final class ExpiringCache<K, V> {
  private final int capacity;
  private final Time time;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>();

  private record Entry<V>(V value, Instant until) {}

  ExpiringCache(int capacity, Time time) {
    this.capacity = capacity;
    this.time = time;
  }

  synchronized Optional<V> get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry == null || !time.monotonicNow().isBefore(entry.until())) {
      return Optional.empty();
    }
    return Optional.of(entry.value());
  }

  synchronized void put(K key, V value, Duration goodFor) {
    entries.remove(key);
    if (entries.size() >= capacity) {
      entries.remove(entries.keySet().iterator().next());
    }
    entries.put(key, new Entry<>(value, time.monotonicNow().plus(goodFor)));
  }
}
