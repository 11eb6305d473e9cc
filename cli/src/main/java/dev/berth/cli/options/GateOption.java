package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.gate.FeatureGates.Parsed;
import java.util.Arrays;
import java.util.List;

/** The option {@code --feature-gates}, for every command that has some. */
public final class GateOption {
  public static final Option OPTION =
      new Option(
          "--feature-gates",
          "NAME=BOOL,...",
          "Feature gates to turn on or off: " + String.join("; ", FeatureGates.known()) + ".");

  private GateOption() {}

  public static FeatureGates read(Arguments arguments) {
    String text = arguments.text(OPTION.name()).orElse("");
    return switch (FeatureGates.parse(text)) {
      case Parsed.Valid(FeatureGates gates) -> gates;
      case Parsed.Unknown(String name) ->
          throw new UsageException(
              "%s: unknown feature gate \"%s\".%s Known feature gates:%s"
                  .formatted(OPTION.name(), name, Suggestion.of(name, names()), known()));
      case Parsed.BadValue(String name, String value) ->
          throw new UsageException(
              "%s: %s must be true or false, not \"%s\". Known feature gates:%s"
                  .formatted(OPTION.name(), name, value, known()));
    };
  }

  private static List<String> names() {
    return Arrays.stream(FeatureGate.values()).map(FeatureGate::word).toList();
  }

  private static String known() {
    StringBuilder lines = new StringBuilder();
    FeatureGates.known().forEach(gate -> lines.append(System.lineSeparator() + "  ").append(gate));
    return lines.toString();
  }
}
