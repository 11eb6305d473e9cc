package dev.berth.cli.arguments;

import java.util.List;

/** A command of the program. */
public interface Command {

  String name();

  /** What it does: a first sentence for the list of commands, and whatever else is worth saying. */
  List<String> description();

  default List<Option> options() {
    return List.of();
  }

  /** The names of the words that must follow; all are required. */
  default List<String> parameters() {
    return List.of();
  }

  /**
   * The names of further words that may follow, from the first on. If the last ends with three
   * dots, any number of them may.
   */
  default List<String> optionalParameters() {
    return List.of();
  }

  /**
   * Does it.
   *
   * @return what the process ends with
   */
  int run(Arguments arguments, Console console) throws InterruptedException;
}
