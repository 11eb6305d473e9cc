package dev.berth.sim.tainteviction;

import dev.berth.sim.history.History;
import dev.berth.sim.history.Occurrences;
import dev.berth.time.fixture.SeededTest;
import org.junit.jupiter.api.AfterAll;

/**
 * Taint eviction against a server that loses requests and answers, refuses, and whose watches end
 * and repeat themselves; controllers crash at any point, and sometimes two run at once; meanwhile
 * pods, tolerations, nodes and taints change at random. Nobody who tolerates is evicted; when all
 * is calm, nobody who should go stays; and a seed is one history.
 */
class EvictionFaultsTest {
  private static final Occurrences EVICTIONS = new Occurrences("evictions");

  @AfterAll
  static void somethingWasShown() {
    EVICTIONS.assertSome();
  }

  @SeededTest(fixed = 70, fresh = 30)
  void whoToleratesStaysAndWhoShouldGoGoes(long seed) {
    History.runTwice(() -> new EvictionHistory(seed, EVICTIONS));
  }
}
