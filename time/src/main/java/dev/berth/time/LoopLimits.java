package dev.berth.time;

/**
 * How much may wait for a loop.
 *
 * @param events how many events may wait before {@link Loop#offer} refuses
 * @param calls how many calls may be under way before {@link Loop#call} refuses
 */
public record LoopLimits(int events, int calls) {
  public static final LoopLimits DEFAULT = new LoopLimits(10_000, 256);

  public LoopLimits {
    if (events < 1 || calls < 1) {
      throw new IllegalArgumentException("a loop needs room for at least one event and one call");
    }
  }
}
