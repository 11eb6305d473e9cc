package dev.berth.sim.tainteviction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Taint eviction against a server that loses requests and answers, refuses, and whose watches end
 * and repeat themselves; controllers crash at any point, and sometimes two run at once; meanwhile
 * pods, tolerations, nodes and taints change at random. Nobody who tolerates is evicted; when all
 * is calm, nobody who should go stays; and a seed is one history.
 *
 * <p>{@code -Dberth.seeds=1000} runs more seeds, {@code -Dberth.seed=17} one.
 */
class EvictionFaultsTest {
  static LongStream seeds() {
    Long only = Long.getLong("berth.seed");
    return only != null
        ? LongStream.of(only)
        : LongStream.rangeClosed(1, Integer.getInteger("berth.seeds", 100));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whoToleratesStaysAndWhoShouldGoGoes(long seed) {
    assertThat(history(seed)).as("seed %d, once more", seed).isEqualTo(history(seed));
  }

  private static String history(long seed) {
    try (EvictionHistory history = new EvictionHistory(seed)) {
      String happened = history.run();
      // Otherwise nothing was shown.
      assertThat(history.evictions()).as("seed %d: evictions", seed).isPositive();
      return happened;
    }
  }
}
