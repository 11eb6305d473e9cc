package dev.berth.cli.foresight;

import java.util.ArrayList;
import java.util.List;

/** Rows whose columns are aligned; what does not fit into the last one goes on below. */
final class TextTable {
  private static final int GAP = 2;
  private static final int LEAST_LAST = 20;

  private final List<List<String>> rows = new ArrayList<>();
  private final int width;
  private final String indent;

  TextTable(int width, String indent, String... headings) {
    this.width = width;
    this.indent = indent;
    rows.add(List.of(headings));
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  List<String> lines() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    int before = indent.length();
    for (int i = 0; i < columns - 1; i++) {
      before += widths[i] + GAP;
    }
    int last = Math.max(LEAST_LAST, width - before);
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < columns - 1; i++) {
        line.append(row.get(i)).repeat(' ', widths[i] + GAP - row.get(i).length());
      }
      for (String part : Screen.wrapped(row.getLast(), last)) {
        lines.add((line + part).stripTrailing());
        line.setLength(0);
        line.repeat(' ', before);
      }
    }
    return lines;
  }
}
