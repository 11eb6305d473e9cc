package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.controllers.ControllerName;
import dev.berth.log.LogFormat;
import dev.berth.log.LogLevels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.event.Level;

/** What is logged, and how, by the commands that run something. */
public final class LogOptions {
  /** Components that are no controllers. */
  private static final List<String> COMPONENTS =
      List.of(
          "apiserver",
          "audit-log",
          "client",
          "controllers",
          "hollow",
          "http",
          "java",
          "leader-election",
          "scheduler",
          "store");

  private static final List<String> LEVELS =
      Arrays.stream(Level.values())
          .map(level -> level.toString().toLowerCase(Locale.ROOT))
          .toList();

  private static final Option LEVEL =
      new Option(
          "--log-level",
          "LEVEL,...",
          "How much is logged: error, warn, info, debug or trace, for all components or, as in"
              + " info,job-controller=debug,http=warn, for some (default: info). The components"
              + " are the controllers and "
              + String.join(", ", COMPONENTS)
              + ".");
  private static final Option FORMAT =
      new Option(
          "--log-format",
          "FORMAT",
          "How the log is written to standard error: text for people, or json, an object on each"
              + " line, for machines (default: text).");

  public static final List<Option> OPTIONS = List.of(LEVEL, FORMAT);

  private LogOptions() {}

  public static LogFormat format(Arguments arguments) {
    String format = arguments.text(FORMAT.name()).orElse("text");
    return switch (format) {
      case "text" -> LogFormat.TEXT;
      case "json" -> LogFormat.JSON;
      default ->
          throw new UsageException(
              "%s must be text or json, not \"%s\".".formatted(FORMAT.name(), format));
    };
  }

  public static LogLevels levels(Arguments arguments) {
    Optional<Level> usual = Optional.empty();
    Map<String, Level> byComponent = new HashMap<>();
    for (String part : arguments.list(LEVEL.name())) {
      int equals = part.indexOf('=');
      if (equals >= 0) {
        String component = component(part.substring(0, equals));
        if (byComponent.put(component, level(part.substring(equals + 1))) != null) {
          throw new UsageException("%s names %s twice.".formatted(LEVEL.name(), component));
        }
      } else if (usual.isPresent()) {
        throw new UsageException(
            "%s has two levels for all components: \"%s\"."
                .formatted(LEVEL.name(), arguments.text(LEVEL.name()).orElse("")));
      } else {
        usual = Optional.of(level(part));
      }
    }
    return new LogLevels(usual.orElse(LogLevels.DEFAULT.usual()), byComponent);
  }

  private static Level level(String word) {
    if (!LEVELS.contains(word)) {
      throw new UsageException(
          "%s: unknown level \"%s\".%s Levels are %s."
              .formatted(
                  LEVEL.name(), word, Suggestion.of(word, LEVELS), String.join(", ", LEVELS)));
    }
    return Level.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static String component(String word) {
    List<String> known = new ArrayList<>(COMPONENTS);
    known.addAll(ControllerName.words());
    if (!known.contains(word)) {
      throw new UsageException(
          "%s: unknown component \"%s\".%s Components are %s."
              .formatted(LEVEL.name(), word, Suggestion.of(word, known), String.join(", ", known)));
    }
    return word;
  }
}
