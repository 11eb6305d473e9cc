package dev.berth.cli.arguments;

import dev.berth.model.quantity.GoDuration;
import java.time.Duration;
import java.util.Optional;

/** Reads values in the forms that Kubernetes' flags have. */
public final class FlagValues {
  private FlagValues() {}

  /** A duration that is longer than nothing, as Go's programs write it. */
  public static Duration duration(Arguments arguments, Option option, Duration otherwise) {
    Optional<String> text = arguments.text(option.name());
    if (text.isEmpty()) {
      return otherwise;
    }
    Duration duration = GoDuration.parse(text.get());
    if (duration == null || duration.isZero()) {
      throw new UsageException(
          "%s must be a duration such as 40s, 1m30s or 500ms, greater than 0, not \"%s\"."
              .formatted(option.name(), text.get()));
    }
    return duration;
  }

  /** A duration that may be nothing, as Go's programs write it. */
  public static Duration durationOrZero(Arguments arguments, Option option, Duration otherwise) {
    boolean isZero =
        arguments
            .text(option.name())
            .filter(text -> text.equals("0") || Duration.ZERO.equals(GoDuration.parse(text)))
            .isPresent();
    return isZero ? Duration.ZERO : duration(arguments, option, otherwise);
  }

  /** In the form that flags take. */
  public static String text(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  /** A number between 0 and another, with or without a decimal point. */
  public static double decimal(Arguments arguments, Option option, double otherwise, double most) {
    Optional<String> text = arguments.text(option.name());
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      double number = Double.parseDouble(text.get());
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, like a number that is too large.
    }
    throw new UsageException(
        "%s must be a number %s, not \"%s\"."
            .formatted(
                option.name(),
                most == Double.MAX_VALUE
                    ? "not below 0, such as 0.1"
                    : "between 0 and %d, such as 0.5".formatted((long) most),
                text.get()));
  }

  /** {@code --name}, {@code --name=true} or {@code --name=false}. */
  public static boolean flag(Arguments arguments, Option option) {
    String text = arguments.text(option.name()).orElse("false");
    return switch (text) {
      case "", "true" -> true;
      case "false" -> false;
      default ->
          throw new UsageException(
              "%s must be true or false, not \"%s\".".formatted(option.name(), text));
    };
  }
}
