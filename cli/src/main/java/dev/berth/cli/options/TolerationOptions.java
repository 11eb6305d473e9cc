package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.policy.taint.DefaultTolerations;
import java.time.Duration;
import java.util.List;

/** How long pods tolerate that their node is lost, if they do not say so themselves (T10). */
public final class TolerationOptions {
  private static final int USUAL =
      Math.toIntExact(DefaultTolerations.FIVE_MINUTES.notReady().toSeconds());

  private static final Option NOT_READY =
      option("--default-not-ready-toleration-seconds", "notReady");
  private static final Option UNREACHABLE =
      option("--default-unreachable-toleration-seconds", "unreachable");

  public static final List<Option> OPTIONS = List.of(NOT_READY, UNREACHABLE);

  private TolerationOptions() {}

  private static Option option(String name, String taint) {
    return new Option(
        name,
        "N",
        "The tolerationSeconds for %s:NoExecute of pods that have no such toleration (default: %d)."
            .formatted(taint, USUAL));
  }

  /** What the flags say. */
  public static DefaultTolerations read(Arguments arguments) {
    return new DefaultTolerations(seconds(arguments, NOT_READY), seconds(arguments, UNREACHABLE));
  }

  private static Duration seconds(Arguments arguments, Option option) {
    return Duration.ofSeconds(arguments.number(option.name(), USUAL, 0, Integer.MAX_VALUE));
  }
}
