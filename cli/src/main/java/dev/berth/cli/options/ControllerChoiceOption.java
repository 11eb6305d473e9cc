package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.controllers.ControllerChoice;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Upstream's {@code --controllers}, for whatever controllers there are. */
final class ControllerChoiceOption {
  static final String NAME = "--controllers";

  private ControllerChoiceOption() {}

  static Option of(List<String> words) {
    return new Option(
        NAME,
        "NAME,...",
        "The controllers to run: * for all, NAME to run one, -NAME to leave one out (default: *)."
            + " Known controllers: "
            + String.join(", ", words)
            + ".");
  }

  /**
   * What was chosen.
   *
   * @param choose what the words between commas mean
   * @param words the names that there are
   */
  static <N> Set<N> read(
      Arguments arguments,
      Set<N> all,
      Function<List<String>, ControllerChoice<N>> choose,
      List<String> words) {
    if (!arguments.has(NAME)) {
      return all;
    }
    return switch (choose.apply(arguments.list(NAME))) {
      case ControllerChoice.Valid<N>(Set<N> names) -> names;
      case ControllerChoice.Unknown<N>(String name) ->
          throw new UsageException(
              "%s: unknown controller \"%s\".%s Known controllers: %s."
                  .formatted(NAME, name, Suggestion.of(name, words), String.join(", ", words)));
    };
  }
}
