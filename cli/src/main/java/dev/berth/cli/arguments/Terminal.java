package dev.berth.cli.arguments;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.OptionalInt;

/** The terminal that somebody sits at, if there is one. */
public final class Terminal {
  /** Narrower ones are taken to be mistaken about it. */
  private static final int LEAST = 60;

  private Terminal() {}

  /** Whether what is printed goes to a terminal. */
  @SuppressWarnings("SystemConsoleNull") // A JDK with few modules has none where nobody types.
  public static boolean isThere() {
    return System.console() != null && System.console().isTerminal();
  }

  /** How wide it is: as {@code $COLUMNS} says, or else as it says itself; empty if nobody does. */
  public static OptionalInt columns() {
    String told = System.getenv("COLUMNS");
    String text = told == null && isThere() ? itself() : told;
    return text != null && text.matches("[1-9][0-9]{1,3}")
        ? OptionalInt.of(Math.max(LEAST, Integer.parseInt(text)))
        : OptionalInt.empty();
  }

  private static String itself() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String rowsAndColumns = new String(stty.getInputStream().readAllBytes(), UTF_8).strip();
      return rowsAndColumns.substring(rowsAndColumns.indexOf(' ') + 1);
    } catch (IOException _) {
      return "";
    }
  }

  /** As much of a line as fits into a row of it. */
  public static String cut(String line, int columns) {
    return line.length() <= columns ? line : line.substring(0, columns - 1) + "…";
  }
}
