package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Terminal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

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
  private final boolean isNarrow;

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

  /**
   * A screen.
   *
   * @param isNarrow whether tables must not be wider
   */
  Screen(PrintWriter out, boolean colours, int width, boolean isNarrow) {
    this.out = out;
    this.colours = colours;
    this.width = width;
    this.isNarrow = isNarrow;
  }

  static Screen of(Console console) {
    OptionalInt columns = Terminal.columns();
    return new Screen(
        console.out(),
        Terminal.isThere() && System.getenv("NO_COLOR") == null,
        columns.orElse(USUAL_WIDTH),
        columns.isPresent());
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
    List<String> lines = table.lines(isNarrow);
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

  /** The lines of a text; a word that is longer than a line is parted, where it has a joint. */
  static List<String> wrapped(String text, int most) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > most) {
        lines.add(line.toString());
        line.setLength(0);
      }
      String rest = line.isEmpty() ? word : " " + word;
      while (line.isEmpty() && rest.length() > most) {
        int end = joint(rest, most);
        lines.add(rest.substring(0, end));
        rest = rest.substring(end);
      }
      line.append(rest);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * Where to part a word: behind the last sign that joins two of its parts, if that is not early.
   */
  private static int joint(String word, int most) {
    for (int end = most; end > most / 2; end--) {
      if ("-./:,=".indexOf(word.charAt(end - 1)) >= 0) {
        return end;
      }
    }
    return most;
  }
}
