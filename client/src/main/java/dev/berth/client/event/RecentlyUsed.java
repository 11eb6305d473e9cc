package dev.berth.client.event;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of bounded size: when it is full, the entry that was not used for longest goes. */
final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  /** As many as upstream's recorder keeps. */
  private static final int MOST = 4_096;

  RecentlyUsed() {
    super(16, 0.75f, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > MOST;
  }
}
