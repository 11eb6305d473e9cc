package dev.berth.agent.runtime.process;

import java.util.List;
import java.util.stream.Collectors;

/** Words for a POSIX shell. */
final class ShellText {
  private ShellText() {}

  /** A word that a shell takes as it is. */
  static String quote(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  static String quote(List<String> words) {
    return words.stream().map(ShellText::quote).collect(Collectors.joining(" "));
  }
}
