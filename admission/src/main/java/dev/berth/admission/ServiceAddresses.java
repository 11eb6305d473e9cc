package dev.berth.admission;

import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The addresses that services are given. Chosen at random from all but the lowest, which are left
 * to those who choose their own, as upstream leaves them.
 */
final class ServiceAddresses {
  static final String RANGE = "10.96.0.0/12";

  private static final int BASE = (10 << 24) | (96 << 16);
  private static final int SIZE = 1 << 20;
  private static final int LEFT_TO_CHOOSERS = 256;

  private ServiceAddresses() {}

  /** A free address; empty if there is none. */
  static Optional<String> choose(Set<String> used, RandomGenerator random) {
    int start = random.nextInt(LEFT_TO_CHOOSERS, SIZE - 1);
    for (int i = 0; i < SIZE; i++) {
      int offset = (start + i) % SIZE;
      if (offset > 0 && offset < SIZE - 1) {
        String address = text(BASE + offset);
        if (!used.contains(address)) {
          return Optional.of(address);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether an address is one that a service can have. */
  static boolean contains(String address) {
    String[] parts = address.split("\\.", -1);
    if (parts.length != 4) {
      return false;
    }
    int bits = 0;
    for (String part : parts) {
      if (!part.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(part) > 255) {
        return false;
      }
      bits = (bits << 8) | Integer.parseInt(part);
    }
    int offset = bits - BASE;
    return offset > 0 && offset < SIZE - 1;
  }

  private static String text(int bits) {
    return "%d.%d.%d.%d"
        .formatted((bits >>> 24) & 255, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255);
  }
}
