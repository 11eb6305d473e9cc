package dev.berth.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Results that were costly to get, the latest used so many of them. For results that never turn
 * wrong by themselves; whatever may is to be checked again by who finds one. Any thread may use it.
 */
public final class BoundedCache<K, V> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<K, V> kept;

  public BoundedCache(int most) {
    kept =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  public Optional<V> get(K key) {
    lock.lock();
    try {
      return Optional.ofNullable(kept.get(key));
    } finally {
      lock.unlock();
    }
  }

  public void put(K key, V value) {
    lock.lock();
    try {
      kept.put(key, value);
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return kept.size();
    } finally {
      lock.unlock();
    }
  }
}
