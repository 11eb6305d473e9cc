package dev.berth.policy.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A flow's hand of queues. */
class ShuffleShardingTest {

  @ParameterizedTest
  @CsvSource({"128, 6, 42", "64, 8, 48", "512, 7, 63", "1, 1, 0", "10000000, 2, 47"})
  void aHandTakesSoManyBits(int deck, int hand, int bits) {
    assertThat(ShuffleSharding.requiredEntropyBits(deck, hand)).isEqualTo(bits);
  }

  @Test
  void dealsUpstreamsHands() {
    // The card with index 1; of those that are left, the ones with index 2, then 0, then 5.
    long hash = 1 + 128L * (2 + 127L * (0 + 126L * 5));
    assertThat(new ShuffleSharding(128, 4).deal(hash)).containsExactly(1, 3, 0, 8);
  }

  @Test
  void noQueueIsInAHandTwice() {
    ShuffleSharding sharding = new ShuffleSharding(8, 6);
    Random random = new Random(1);
    int[] dealt = new int[8];
    for (int i = 0; i < 10_000; i++) {
      int[] hand = sharding.deal(random.nextLong());
      Set<Integer> different = new HashSet<>();
      for (int queue : hand) {
        assertThat(queue).isBetween(0, 7);
        dealt[queue]++;
        different.add(queue);
      }
      assertThat(different).as(Arrays.toString(hand)).hasSize(6);
    }
    for (int count : dealt) {
      assertThat(count).as("each queue is in as many hands as any other").isBetween(7_200, 7_800);
    }
  }

  @Test
  void aHandThatCannotBeDealtIsAMistake() {
    assertThatThrownBy(() -> new ShuffleSharding(4, 5)).hasMessageContaining("a hand of 5");
    assertThatThrownBy(() -> new ShuffleSharding(512, 8)).isInstanceOf(RuntimeException.class);
  }
}
