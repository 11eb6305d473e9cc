package dev.berth.cli.arguments;

import java.util.ArrayList;
import java.util.List;

/** The text of {@code berth help} and {@code --help}. */
public final class HelpText {
  private static final int WIDTH = 100;

  private HelpText() {}

  /** The help of the whole program. */
  public static String of(List<Command> commands) {
    List<String> lines = new ArrayList<>();
    lines.add("Usage: berth COMMAND [OPTIONS]");
    lines.add("A Kubernetes-compatible control plane and node agent.");
    lines.add("");
    List<String[]> rows = new ArrayList<>();
    for (Command command : commands) {
      rows.add(new String[] {command.name(), command.description().getFirst()});
    }
    rows.add(new String[] {"help", "Shows help for a command: berth help COMMAND."});
    table(lines, rows);
    return String.join("\n", lines);
  }

  /** The help of one command. */
  public static String of(Command command) {
    List<String> lines = new ArrayList<>();
    StringBuilder usage = new StringBuilder("Usage: berth " + command.name());
    command.parameters().forEach(parameter -> usage.append(' ').append(parameter));
    command.optionalParameters().forEach(word -> usage.append(" [").append(word).append(']'));
    if (!command.options().isEmpty()) {
      usage.append(" [OPTIONS]");
    }
    lines.add(usage.toString());
    command.description().forEach(text -> lines.addAll(wrapped(text, WIDTH)));
    if (!command.options().isEmpty()) {
      lines.add("");
      table(
          lines,
          command.options().stream()
              .map(option -> new String[] {option.shown(), option.description()})
              .toList());
    }
    return String.join("\n", lines);
  }

  /** Two columns, the second wrapped. */
  private static void table(List<String> lines, List<String[]> rows) {
    int first = rows.stream().mapToInt(row -> row[0].length()).max().orElse(0) + 4;
    for (String[] row : rows) {
      String left = "  " + row[0];
      for (String text : wrapped(row[1], WIDTH - first)) {
        lines.add(left + " ".repeat(first - left.length()) + text);
        left = "";
      }
    }
  }

  private static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
