package dev.berth.sim.podgc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pod collection against a server that loses requests and answers, refuses, and whose watches end
 * and repeat themselves; the controller crashes, and meanwhile pods and nodes come, go and change
 * at random. No pod is collected that should stay; when all is calm, none stays that should go; and
 * who is collected says first how it ended, and why.
 *
 * <p>{@code -Dberth.seeds=1000} runs more seeds, {@code -Dberth.seed=17} one.
 */
class CollectionFaultsTest {
  static LongStream seeds() {
    Long only = Long.getLong("berth.seed");
    return only != null
        ? LongStream.of(only)
        : LongStream.rangeClosed(1, Integer.getInteger("berth.seeds", 100));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void garbageGoesAndNothingElseDoes(long seed) {
    try (CollectionHistory history = new CollectionHistory(seed)) {
      history.run();
      // Otherwise nothing was shown.
      assertThat(history.collections()).isPositive();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
