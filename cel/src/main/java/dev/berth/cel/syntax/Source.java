package dev.berth.cel.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The text of an expression, and how a problem at a place in it is printed. */
public final class Source {
  private static final int MAX_ERRORS = 100;
  private static final int MAX_SNIPPET = 16384;

  private final int[] codePoints;
  private final List<Problem> problems = new ArrayList<>();
  private int problemCount;

  public Source(String text) {
    this.codePoints = text.codePoints().toArray();
  }

  private record Problem(int line, int column, String message) {}

  int length() {
    return codePoints.length;
  }

  int at(int offset) {
    return codePoints[offset];
  }

  String text(int from, int to) {
    return new String(codePoints, from, to - from);
  }

  /** Notes a problem at a place; -1 if it has none. */
  public void report(int offset, String message) {
    problemCount++;
    if (problemCount > MAX_ERRORS) {
      return;
    }
    if (offset < 0) {
      problems.add(new Problem(-1, -1, message));
      return;
    }
    int line = 1;
    int start = 0;
    for (int i = 0; i < offset && i < codePoints.length; i++) {
      if (codePoints[i] == '\n') {
        line++;
        start = i + 1;
      }
    }
    problems.add(new Problem(line, offset - start, message));
  }

  public boolean hasProblems() {
    return problemCount > 0;
  }

  /** All problems in the order of the text, with the lines they are in. */
  public String problems() {
    List<String> lines = new ArrayList<>();
    problems.stream()
        .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
        .forEach(problem -> lines.add(print(problem)));
    if (problemCount > MAX_ERRORS) {
      lines.add(problemCount - MAX_ERRORS + " more errors were truncated");
    }
    return String.join("\n", lines);
  }

  private String print(Problem problem) {
    StringBuilder text =
        new StringBuilder("ERROR: <input>:")
            .append(problem.line())
            .append(':')
            .append(codePoints.length == 0 ? 0 : problem.column() + 1)
            .append(": ")
            .append(problem.message());
    if (problem.line() < 1 || codePoints.length == 0) {
      return text.toString();
    }
    String snippet = line(problem.line());
    if (snippet.length() > MAX_SNIPPET) {
      return text.toString();
    }
    text.append("\n | ").append(snippet.replace('\t', ' ')).append("\n | ");
    int[] points = snippet.codePoints().toArray();
    for (int i = 0; i < problem.column() && i < points.length; i++) {
      text.append(points[i] > 127 ? '\uff0e' : '.');
    }
    boolean wide = problem.column() < points.length && points[problem.column()] > 127;
    return text.append(wide ? '\uff3e' : '^').toString();
  }

  private String line(int number) {
    int line = 1;
    int start = 0;
    int end = codePoints.length;
    for (int i = 0; i < codePoints.length; i++) {
      if (codePoints[i] == '\n') {
        if (line == number) {
          end = i;
          break;
        }
        line++;
        start = i + 1;
      }
    }
    return text(start, end);
  }
}
