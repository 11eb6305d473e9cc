package dev.berth.cli.arguments;

import java.util.Comparator;
import java.util.List;

/** Finds the known word that somebody may have meant. */
public final class Suggestion {
  /** The most typing errors that a suggestion forgives. */
  private static final int MOST_SLIPS = 3;

  private Suggestion() {}

  /** A sentence to append, or nothing if no known word is near. */
  public static String of(String said, List<String> known) {
    return known.stream()
        .filter(word -> slips(said, word) <= Math.min(MOST_SLIPS, word.length() / 2))
        .min(Comparator.comparingInt(word -> slips(said, word)))
        .map(word -> " Did you mean " + word + "?")
        .orElse("");
  }

  /** How many letters must be added, dropped or replaced to make one word of another. */
  private static int slips(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[to.length()];
  }
}
