package dev.berth.cli.foresight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows whose columns are aligned. What does not fit into the last column goes on below; where the
 * others leave it no room, the widest of them are narrowed, and go on below as well.
 */
final class TextTable {
  private static final int GAP = 2;
  private static final int LEAST_LAST = 20;
  private static final int LEAST = 10;

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

  /**
   * The rows as lines.
   *
   * @param narrows whether columns may be narrowed: not for programs, which look for whole words
   */
  List<String> lines(boolean narrows) {
    int[] widths = widths(narrows);
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      List<List<String>> cells = new ArrayList<>();
      int height = 1;
      for (int i = 0; i < widths.length; i++) {
        List<String> cell = Screen.wrapped(row.get(i), widths[i]);
        cells.add(cell);
        height = Math.max(height, cell.size());
      }
      for (int line = 0; line < height; line++) {
        lines.add(line(cells, line, widths));
      }
    }
    return lines;
  }

  private String line(List<List<String>> cells, int line, int[] widths) {
    StringBuilder text = new StringBuilder(indent);
    for (int i = 0; i < widths.length; i++) {
      List<String> cell = cells.get(i);
      String part = line < cell.size() ? cell.get(line) : "";
      text.append(part).repeat(' ', Math.max(0, widths[i] - part.length()) + GAP);
    }
    return text.toString().stripTrailing();
  }

  private int[] widths(boolean narrows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    int last = widths.length - 1;
    int room = width - indent.length() - GAP * last;
    int least = Math.min(widths[last], LEAST_LAST);
    int[] others = Arrays.copyOf(widths, last);
    while (narrows && Arrays.stream(others).sum() + least > room) {
      int widest = 0;
      for (int i = 1; i < last; i++) {
        widest = others[i] > others[widest] ? i : widest;
      }
      if (last == 0 || others[widest] <= LEAST) {
        break;
      }
      others[widest]--;
    }
    System.arraycopy(others, 0, widths, 0, last);
    widths[last] = Math.max(LEAST_LAST, room - Arrays.stream(others).sum());
    return widths;
  }
}
