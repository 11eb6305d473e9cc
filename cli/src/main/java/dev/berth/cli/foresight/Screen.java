package dev.berth.cli.foresight;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.arguments.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where people read: so wide, and in colour if it is a terminal that shows colours and nobody asked
 * for none ({@code NO_COLOR}).
 */
final class Screen {
  private static final int USUAL_WIDTH = 120;
  private static final int MARGIN = 13;
  private static final String RESET = "\033[0m";

  private final PrintWriter out;
  private final boolean colours;
  private final int width;

  /** How a line looks. */
  enum Look {
    HEADING("\033[1m"),
    BAD("\033[31m"),
    WARNING("\033[33m"),
    GOOD("\033[32m");

    private final String code;

    Look(String code) {
      this.code = code;
    }
  }

  Screen(PrintWriter out, boolean colours, int width) {
    this.out = out;
    this.colours = colours;
    this.width = width;
  }

  @SuppressWarnings("SystemConsoleNull") // A JDK with few modules has none where nobody types.
  static Screen of(Console console) {
    boolean isTerminal = System.console() != null && System.console().isTerminal();
    boolean colours = isTerminal && System.getenv("NO_COLOR") == null;
    String told = System.getenv("COLUMNS");
    return new Screen(
        console.out(), colours, columns(told == null && isTerminal ? terminalWidth() : told));
  }

  /** What the terminal itself says; null if it cannot be asked. */
  private static @Nullable String terminalWidth() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String rowsAndColumns = new String(stty.getInputStream().readAllBytes(), UTF_8).strip();
      return rowsAndColumns.substring(rowsAndColumns.indexOf(' ') + 1);
    } catch (IOException _) {
      return null;
    }
  }

  private static int columns(@Nullable String text) {
    return text != null && text.matches("[1-9][0-9]{1,3}")
        ? Math.max(60, Integer.parseInt(text))
        : USUAL_WIDTH;
  }

  int width() {
    return width;
  }

  void line(String text) {
    out.println(text);
  }

  void line(Look look, String text) {
    out.println(colours ? look.code + text + RESET : text);
  }

  void table(TextTable table) {
    List<String> lines = table.lines();
    line(Look.HEADING, lines.getFirst());
    lines.stream().skip(1).forEach(this::line);
  }

  /** A name and what is to be said of it, wrapped. */
  void field(String name, String value) {
    String left = name.isEmpty() ? "" : name + ":";
    String prefix = left + " ".repeat(Math.max(1, MARGIN - left.length()));
    wrapped(prefix, value).forEach(this::line);
  }

  /** A line of a list, wrapped. */
  void item(Look look, String bullet, String text) {
    wrapped(bullet, text).forEach(line -> line(look, line));
  }

  private List<String> wrapped(String prefix, String text) {
    List<String> lines = new ArrayList<>();
    String before = prefix;
    for (String part : wrapped(text, width - prefix.length())) {
      lines.add((before + part).stripTrailing());
      before = " ".repeat(prefix.length());
    }
    return lines;
  }

  static List<String> wrapped(String text, int most) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > most) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
