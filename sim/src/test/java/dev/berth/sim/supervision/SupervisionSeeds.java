package dev.berth.sim.supervision;

import java.security.SecureRandom;
import java.util.stream.LongStream;

/** Which seeds a test runs with: the one that was asked for, or a fixed and a fresh one. */
final class SupervisionSeeds {
  private static final String PROPERTY = "berth.seed";
  private static final long FRESH = new SecureRandom().nextInt(1_000_000);

  private SupervisionSeeds() {}

  /** The names of tests print them. */
  static LongStream all() {
    String asked = System.getProperty(PROPERTY, "");
    return asked.isEmpty() ? LongStream.of(1, FRESH) : LongStream.of(Long.parseLong(asked));
  }
}
