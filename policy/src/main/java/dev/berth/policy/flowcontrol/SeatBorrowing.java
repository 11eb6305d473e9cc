package dev.berth.policy.flowcontrol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lends seats that some priority levels do not need to those that do, for the next period.
 *
 * <ol>
 *   <li>A level keeps what it needed at most during the last period, but no more than its nominal
 *       seats, and no less than what it does not lend.
 *   <li>An exempt level counts as having what it needed, whatever that was.
 *   <li>What is left is divided in proportion to smoothed demand, within what each may borrow.
 *   <li>If exempt requests took so many that not all can keep what they needed, all get less in
 *       proportion; and if not even what they do not lend is left, they get that nevertheless.
 * </ol>
 */
public final class SeatBorrowing {
  private static final double SMALLEST_TARGET = 0.001;
  private static final double TINY = 1e-7;

  private SeatBorrowing() {}

  /** A level, and what it needed during the last period. */
  public record Level(boolean exempt, SeatLimits limits, DemandPeriod demand, int current) {
    int kept() {
      int needed = demand.highWatermark();
      return Math.max(limits.lowest(), exempt ? needed : Math.min(limits.nominal(), needed));
    }

    /** How many seats it should have, if there were enough. */
    public double target() {
      return Math.max(kept(), demand.smoothed());
    }
  }

  /** The seats of each level, in the order of the levels. */
  public static List<Integer> decide(List<Level> levels) {
    int all = 0;
    int left = 0;
    int lowest = 0;
    int kept = 0;
    List<Level> limited = new ArrayList<>();
    for (Level level : levels) {
      all += level.limits.nominal();
      if (level.exempt) {
        left -= level.kept();
      } else {
        lowest += level.limits.lowest();
        kept += level.kept();
        limited.add(level);
      }
    }
    left += all;
    double fair = left > kept ? fairProportion(limited, all).orElse(Double.NaN) : 0;
    List<Integer> seats = new ArrayList<>();
    for (Level level : levels) {
      int mine;
      if (level.exempt) {
        mine = level.kept();
      } else if (left <= lowest) {
        mine = level.limits.lowest();
      } else if (left <= kept) {
        double part = (double) (left - lowest) / (kept - lowest);
        mine =
            level.limits.lowest() + (int) Math.round((level.kept() - level.limits.lowest()) * part);
      } else {
        mine = Double.isNaN(fair) ? level.current : (int) Math.round(share(level, fair));
      }
      seats.add(mine);
    }
    return seats;
  }

  /**
   * The proportion of their targets that all levels get, where their limits allow that, so that all
   * seats are given; empty if the limits allow no such division.
   */
  static Optional<Double> fairProportion(List<Level> levels, int seats) {
    double least = levels.stream().mapToDouble(Level::kept).sum();
    double most = levels.stream().mapToDouble(level -> level.limits.highest()).sum();
    if (levels.isEmpty() || least - seats > TINY || seats - most > TINY) {
      return Optional.empty();
    }
    // What is given only grows with the proportion, and is straight between these.
    double[] bends =
        levels.stream()
            .flatMap(level ->
                List.of(level.kept() / target(level), level.limits.highest() / target(level))
                    .stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    double from = 0;
    double givenFrom = given(levels, 0);
    for (double to : bends) {
      double givenTo = given(levels, to);
      if (givenTo >= seats) {
        double rise = givenTo - givenFrom;
        return Optional.of(
            rise <= 0 ? to : from + (to - from) * Math.max(0, seats - givenFrom) / rise);
      }
      from = to;
      givenFrom = givenTo;
    }
    return Optional.of(from);
  }

  private static double given(List<Level> levels, double proportion) {
    return levels.stream().mapToDouble(level -> share(level, proportion)).sum();
  }

  private static double share(Level level, double proportion) {
    return Math.max(level.kept(), Math.min(level.limits.highest(), proportion * target(level)));
  }

  private static double target(Level level) {
    return Math.max(SMALLEST_TARGET, level.target());
  }
}
