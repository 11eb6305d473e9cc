package dev.berth.controllers.garbagecollector;

import java.time.Duration;

/**
 * How the collector works.
 *
 * @param discovery how often is asked which resources there are ({@code 30s} upstream)
 * @param concurrentSyncs how many objects are reconciled at once ({@code --concurrent-gc-syncs})
 */
public record GarbageCollectorSettings(Duration discovery, int concurrentSyncs) {
  public static final GarbageCollectorSettings DEFAULT =
      new GarbageCollectorSettings(Duration.ofSeconds(30), 256);
}
