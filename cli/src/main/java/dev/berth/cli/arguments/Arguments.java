package dev.berth.cli.arguments;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command line that was read. Options may stand anywhere, as {@code --name value} or {@code
 * --name=value}; after {@code --} there are only parameters.
 */
public final class Arguments {
  private final List<String> words;
  private final Map<String, String> options = new HashMap<>();
  private final List<String> parameters = new ArrayList<>();

  private Arguments(List<String> words) {
    this.words = List.copyOf(words);
  }

  /** Parses the words after a command's name. */
  public static Arguments parse(Command command, List<String> words) {
    Arguments arguments = new Arguments(words);
    int i = 0;
    boolean onlyParameters = false;
    while (i < words.size()) {
      String word = words.get(i++);
      if (onlyParameters || !word.startsWith("-") || word.equals("-")) {
        arguments.parameters.add(word);
      } else if (word.equals("--")) {
        onlyParameters = true;
      } else {
        int equals = word.indexOf('=');
        Option option = find(command, equals < 0 ? word : word.substring(0, equals));
        String value = "";
        if (equals >= 0) {
          value = word.substring(equals + 1);
        } else if (option.takesValue()) {
          if (i == words.size()) {
            throw new UsageException(
                "%s needs a value: %s.".formatted(option.name(), option.shown()));
          }
          value = words.get(i++);
        }
        arguments.set(option, equals >= 0, value);
      }
    }
    arguments.checkParameters(command);
    return arguments;
  }

  private static Option find(Command command, String name) {
    for (Option option : command.options()) {
      if (option.name().equals(name)) {
        return option;
      }
    }
    List<String> known = command.options().stream().map(Option::name).toList();
    throw new UsageException(
        "berth %s has no option %s.%s".formatted(command.name(), name, Suggestion.of(name, known)));
  }

  private void set(Option option, boolean givenValue, String value) {
    if (givenValue && !option.takesValue() && !option.mayTakeValue()) {
      throw new UsageException(option.name() + " takes no value.");
    }
    if (options.putIfAbsent(option.name(), value) != null) {
      throw new UsageException(option.name() + " is given twice.");
    }
  }

  private void checkParameters(Command command) {
    List<String> wanted = command.parameters();
    if (parameters.size() < wanted.size()) {
      throw new UsageException(
          "berth %s needs %s."
              .formatted(
                  command.name(),
                  String.join(" ", wanted.subList(parameters.size(), wanted.size()))));
    }
    List<String> further = command.optionalParameters();
    int most = wanted.size() + further.size();
    boolean anyNumber = !further.isEmpty() && further.getLast().endsWith("...");
    if (parameters.size() > most && !anyNumber) {
      throw new UsageException(
          "berth %s does not take the argument \"%s\"."
              .formatted(command.name(), parameters.get(most)));
    }
  }

  /** The whole command line, as it was given. */
  public List<String> words() {
    return words;
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  public Optional<String> text(String option) {
    return Optional.ofNullable(options.get(option));
  }

  /** What stands between commas; nothing if the option is not there. */
  public List<String> list(String option) {
    return text(option).map(value -> List.of(value.split(",", -1))).orElse(List.of());
  }

  public Optional<Path> path(String option) {
    return text(option).map(value -> asPath(option, value));
  }

  /** A whole number between two others, which may be left out. */
  public int number(String option, int otherwise, int least, int most) {
    Optional<String> value = text(option);
    if (value.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, like a number that is too large.
    }
    throw new UsageException(
        "%s must be a number between %d and %d, not \"%s\"."
            .formatted(option, least, most, value.get()));
  }

  /** The words beside the options, in their order. */
  public List<String> parameters() {
    return List.copyOf(parameters);
  }

  /** The parameter at an index, which must exist. */
  public Path file(int place) {
    return asPath("FILE", parameters.get(place));
  }

  private static Path asPath(String what, String value) {
    try {
      if (!value.isEmpty()) {
        return Path.of(value);
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new UsageException("%s must be the name of a file, not \"%s\".".formatted(what, value));
  }
}
