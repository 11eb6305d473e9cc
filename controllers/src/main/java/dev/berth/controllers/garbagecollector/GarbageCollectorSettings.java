package dev.berth.controllers.garbagecollector;

import java.time.Duration;

/**
 * How the collector works.
 *
 * @param discovery how often is asked which resources there are ({@code 30s} upstream)
 * @param looksAtOnce how many objects are looked at together ({@code --concurrent-gc-syncs})
 */
public record GarbageCollectorSettings(Duration discovery, int looksAtOnce) {
  public static final GarbageCollectorSettings DEFAULT =
      new GarbageCollectorSettings(Duration.ofSeconds(30), 256);
}
