package dev.berth.policy.flowcontrol;

/**
 * How many of the server's seats a priority level has.
 *
 * @param nominal its part by its shares, rounded up
 * @param lowest what it keeps when it lends all it may
 * @param highest what it has when it borrows all it may
 */
public record SeatLimits(int nominal, int lowest, int highest) {

  /**
   * A level's part.
   *
   * @param level the level's own numbers
   * @param allShares the sum of all levels' shares
   * @param serverSeats how many there are to divide
   */
  public static SeatLimits of(Shares level, long allShares, int serverSeats) {
    int nominal =
        allShares == 0
            ? 0
            : (int) Math.ceil((double) serverSeats * level.nominalShares() / allShares);
    int lent = (int) Math.round(nominal * level.lendablePercent() / 100.0);
    int borrowed =
        level.borrowingLimitPercent() < 0
            ? serverSeats
            : (int) Math.round(nominal * level.borrowingLimitPercent() / 100.0);
    return new SeatLimits(nominal, nominal - lent, nominal + borrowed);
  }

  /**
   * The numbers that a priority level is configured with.
   *
   * @param borrowingLimitPercent negative where there is no limit
   */
  public record Shares(long nominalShares, long lendablePercent, long borrowingLimitPercent) {
    public static final long UNLIMITED = -1;
  }

  /** What a new level begins with, before its demand is known. */
  public int initial() {
    return nominal - (nominal - lowest) / 2;
  }
}
