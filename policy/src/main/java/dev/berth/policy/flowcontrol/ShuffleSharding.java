package dev.berth.policy.flowcontrol;

/**
 * Deals each flow a hand of queues, like cards from a shuffled deck: the flow's hash is the only
 * source of chance, so that a flow always has the same hand. Two flows may share some queues, but
 * hardly ever all, so one that fills its queues leaves most others a free one.
 *
 * @param deckSize how many queues there are
 * @param handSize how many of them each flow gets
 */
public record ShuffleSharding(int deckSize, int handSize) {
  /**
   * How many bits of a hash a hand may take, of 64: with all of them, the last card would be dealt
   * from one half of the deck noticeably more often than from the other.
   */
  public static final int MOST_ENTROPY_BITS = 60;

  public ShuffleSharding {
    if (handSize < 1
        || handSize > deckSize
        || requiredEntropyBits(deckSize, handSize) > MOST_ENTROPY_BITS) {
      throw new IllegalArgumentException(
          "a hand of %d cannot be dealt from %d queues".formatted(handSize, deckSize));
    }
  }

  /** How many bits of a hash it takes to deal a hand; a bit more than are needed. */
  public static int requiredEntropyBits(int deckSize, int handSize) {
    return (int) Math.ceil(Math.log(deckSize) / Math.log(2) * handSize);
  }

  /** The queues of a flow, all different, each below the deck's size. */
  public int[] deal(long flowHash) {
    int[] hand = new int[handSize];
    int[] remainders = new int[handSize];
    long hash = flowHash;
    for (int i = 0; i < handSize; i++) {
      remainders[i] = (int) Long.remainderUnsigned(hash, deckSize - i);
      hash = Long.divideUnsigned(hash, deckSize - i);
    }
    for (int i = 0; i < handSize; i++) {
      // The n-th of the cards that are left: count past those that were dealt before.
      int card = remainders[i];
      for (int j = i; j > 0; j--) {
        if (card >= remainders[j - 1]) {
          card++;
        }
      }
      hand[i] = card;
    }
    return hand;
  }
}
