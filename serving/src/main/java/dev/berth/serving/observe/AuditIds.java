package dev.berth.serving.observe;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Gives each request an audit ID of its own: a UUID of version 4, scrambled from a counter and a
 * random start, so that threads need no lock.
 */
final class AuditIds {
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private final long highSeed;
  private final long lowSeed;
  private final AtomicLong next = new AtomicLong();

  AuditIds(RandomGenerator random) {
    highSeed = random.nextLong();
    lowSeed = random.nextLong();
  }

  String next() {
    long step = next.incrementAndGet() * GOLDEN_RATIO;
    long high = (scrambled(highSeed + step) & ~0xf000L) | 0x4000L;
    long low = (scrambled(lowSeed + step) & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }

  /** Reversible, so that different numbers stay different. */
  private static long scrambled(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
