package dev.berth.sim.scenario;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a number must be compared with another: {@code >= 80%}, {@code 0}, {@code < 10}.
 *
 * @param isPercent whether it is a share of what is wanted
 */
public record Bound(Relation relation, double number, boolean isPercent) {
  private static final Pattern FORM =
      Pattern.compile("(>=|<=|==|=|<|>)?\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(%)?");
  private static final double WHOLE = 100;

  /** How two numbers are compared. */
  public enum Relation {
    AT_LEAST(">="),
    AT_MOST("<="),
    EQUAL("="),
    BELOW("<"),
    ABOVE(">");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }
  }

  /** Empty if the text is none. */
  public static Optional<Bound> parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String sign = matcher.group(1) == null ? "=" : matcher.group(1);
    Relation relation =
        switch (sign) {
          case ">=" -> Relation.AT_LEAST;
          case "<=" -> Relation.AT_MOST;
          case "<" -> Relation.BELOW;
          case ">" -> Relation.ABOVE;
          default -> Relation.EQUAL;
        };
    return Optional.of(
        new Bound(relation, Double.parseDouble(matcher.group(2)), matcher.group(3) != null));
  }

  /**
   * Whether a number is within it.
   *
   * @param whole what a percentage is of
   */
  public boolean holds(long value, long whole) {
    double limit = isPercent ? number * whole / WHOLE : number;
    return switch (relation) {
      case AT_LEAST -> value >= limit;
      case AT_MOST -> value <= limit;
      case EQUAL -> value == limit;
      case BELOW -> value < limit;
      case ABOVE -> value > limit;
    };
  }

  /** Whether it is small numbers that do not fit. */
  public boolean isLowerBound() {
    return relation == Relation.AT_LEAST || relation == Relation.ABOVE;
  }

  @Override
  public String toString() {
    String plain =
        number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    return relation.sign + " " + plain + (isPercent ? "%" : "");
  }
}
