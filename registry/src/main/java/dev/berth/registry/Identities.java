package dev.berth.registry;

import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** Generates UIDs and names. May be used by any thread. */
public final class Identities {
  /** No vowels and nothing that looks like one, so that no words come out. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int RANDOM_LENGTH = 5;
  private static final int LONGEST_STEM = 63 - RANDOM_LENGTH;

  private final ReentrantLock lock = new ReentrantLock();
  private final RandomGenerator random;

  public Identities(RandomGenerator random) {
    this.random = random;
  }

  /** A name that begins with the given text, cut off where it would get too long. */
  String name(String stem) {
    StringBuilder name =
        new StringBuilder(stem.length() > LONGEST_STEM ? stem.substring(0, LONGEST_STEM) : stem);
    lock.lock();
    try {
      for (int i = 0; i < RANDOM_LENGTH; i++) {
        name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
    } finally {
      lock.unlock();
    }
    return name.toString();
  }

  /** A random UUID of version 4. */
  public String uid() {
    lock.lock();
    try {
      long high = (random.nextLong() & ~0xf000L) | 0x4000L;
      long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
      return new UUID(high, low).toString();
    } finally {
      lock.unlock();
    }
  }
}
