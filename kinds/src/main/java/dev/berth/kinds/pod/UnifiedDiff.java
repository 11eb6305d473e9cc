package dev.berth.kinds.pod;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How two trees differ, line by line, each value on a line of its own, with three lines around what
 * changed. Lines are matched as in Python's difflib, whose port Kubernetes uses: the longest common
 * run of lines first, then what is left and right of it; lines that are everywhere begin no run.
 */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;

  /** Sequences of so many lines have lines that are too frequent to begin a match. */
  private static final int LONG = 200;

  /** Trees of more lines are not compared: that takes the square of their number. */
  private static final int MOST_LINES = 10_000;

  private final List<String> before;
  private final List<String> after;
  private final Map<String, List<Integer>> places = new HashMap<>();
  private final List<Match> matches = new ArrayList<>();

  private record Match(int before, int after, int size) {}

  /** What becomes of lines: kept if both ranges are as long and equal, replaced otherwise. */
  private record Step(boolean equal, int from, int to, int newFrom, int newTo) {}

  private UnifiedDiff(List<String> before, List<String> after) {
    this.before = before;
    this.after = after;
    for (int i = 0; i < after.size(); i++) {
      places.computeIfAbsent(after.get(i), _ -> new ArrayList<>()).add(i);
    }
    if (after.size() >= LONG) {
      int most = after.size() / 100 + 1;
      places.values().removeIf(at -> at.size() > most);
    }
  }

  public static String of(JsonObject before, JsonObject after) {
    UnifiedDiff diff = new UnifiedDiff(lines(before), lines(after));
    if (diff.before.size() + diff.after.size() > MOST_LINES) {
      return "";
    }
    diff.match(0, diff.before.size(), 0, diff.after.size());
    StringBuilder text = new StringBuilder();
    for (List<Step> group : diff.groups()) {
      diff.write(group, text);
    }
    return text.toString();
  }

  private static List<String> lines(JsonObject tree) {
    StringBuilder text = new StringBuilder();
    write(tree, "", text);
    return List.of(text.toString().split("\n", -1));
  }

  private static void write(Object value, String indent, StringBuilder text) {
    String deeper = indent + " ";
    switch (value) {
      case JsonObject object when !object.isEmpty() -> {
        text.append("{\n");
        for (int i = 0; i < object.size(); i++) {
          text.append(deeper).append(JsonWriter.toText(object.name(i))).append(": ");
          write(object.value(i), deeper, text);
          text.append(i + 1 < object.size() ? ",\n" : "\n");
        }
        text.append(indent).append('}');
      }
      case JsonArray array when !array.isEmpty() -> {
        text.append("[\n");
        for (int i = 0; i < array.size(); i++) {
          text.append(deeper);
          write(array.get(i), deeper, text);
          text.append(i + 1 < array.size() ? ",\n" : "\n");
        }
        text.append(indent).append(']');
      }
      default -> text.append(JsonWriter.toText(value));
    }
  }

  private void match(int from, int to, int newFrom, int newTo) {
    Match longest = longest(from, to, newFrom, newTo);
    if (longest.size() == 0) {
      return;
    }
    match(from, longest.before(), newFrom, longest.after());
    matches.add(longest);
    match(longest.before() + longest.size(), to, longest.after() + longest.size(), newTo);
  }

  private Match longest(int from, int to, int newFrom, int newTo) {
    int best = from;
    int newBest = newFrom;
    int size = 0;
    Map<Integer, Integer> lengths = new HashMap<>();
    for (int i = from; i < to; i++) {
      Map<Integer, Integer> next = new HashMap<>();
      for (int j : places.getOrDefault(before.get(i), List.of())) {
        if (j < newFrom) {
          continue;
        }
        if (j >= newTo) {
          break;
        }
        int length = lengths.getOrDefault(j - 1, 0) + 1;
        next.put(j, length);
        if (length > size) {
          best = i - length + 1;
          newBest = j - length + 1;
          size = length;
        }
      }
      lengths = next;
    }
    // Frequent lines begin no match but belong to one that they touch.
    while (best > from && newBest > newFrom && same(best - 1, newBest - 1)) {
      best--;
      newBest--;
      size++;
    }
    while (best + size < to && newBest + size < newTo && same(best + size, newBest + size)) {
      size++;
    }
    return new Match(best, newBest, size);
  }

  private boolean same(int line, int newLine) {
    return before.get(line).equals(after.get(newLine));
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    int at = 0;
    int newAt = 0;
    List<Match> all = new ArrayList<>(adjacent());
    all.add(new Match(before.size(), after.size(), 0));
    for (Match match : all) {
      if (at < match.before() || newAt < match.after()) {
        steps.add(new Step(false, at, match.before(), newAt, match.after()));
      }
      at = match.before() + match.size();
      newAt = match.after() + match.size();
      if (match.size() > 0) {
        steps.add(new Step(true, match.before(), at, match.after(), newAt));
      }
    }
    return steps;
  }

  /** Matches that touch each other as one. */
  private List<Match> adjacent() {
    List<Match> joined = new ArrayList<>();
    for (Match match : matches) {
      Match last = joined.isEmpty() ? new Match(-1, -1, 0) : joined.getLast();
      if (last.before() + last.size() == match.before()
          && last.after() + last.size() == match.after()
          && !joined.isEmpty()) {
        joined.set(
            joined.size() - 1, new Match(last.before(), last.after(), last.size() + match.size()));
      } else {
        joined.add(match);
      }
    }
    return joined;
  }

  /** The steps in groups that have no more than the lines around in common. */
  private List<List<Step>> groups() {
    List<Step> steps = new ArrayList<>(steps());
    List<List<Step>> groups = new ArrayList<>();
    if (steps.isEmpty()) {
      return groups;
    }
    if (steps.getFirst().equal()) {
      Step first = steps.getFirst();
      steps.set(
          0,
          new Step(
              true,
              Math.max(first.from(), first.to() - CONTEXT),
              first.to(),
              Math.max(first.newFrom(), first.newTo() - CONTEXT),
              first.newTo()));
    }
    if (steps.getLast().equal()) {
      Step last = steps.getLast();
      steps.set(
          steps.size() - 1,
          new Step(
              true,
              last.from(),
              Math.min(last.to(), last.from() + CONTEXT),
              last.newFrom(),
              Math.min(last.newTo(), last.newFrom() + CONTEXT)));
    }
    List<Step> group = new ArrayList<>();
    for (Step step : steps) {
      int from = step.from();
      int newFrom = step.newFrom();
      if (step.equal() && step.to() - step.from() > 2 * CONTEXT) {
        group.add(
            new Step(
                true,
                from,
                Math.min(step.to(), from + CONTEXT),
                newFrom,
                Math.min(step.newTo(), newFrom + CONTEXT)));
        groups.add(group);
        group = new ArrayList<>();
        from = Math.max(from, step.to() - CONTEXT);
        newFrom = Math.max(newFrom, step.newTo() - CONTEXT);
      }
      group.add(new Step(step.equal(), from, step.to(), newFrom, step.newTo()));
    }
    if (!(group.size() == 1 && group.getFirst().equal())) {
      groups.add(group);
    }
    return groups;
  }

  private void write(List<Step> group, StringBuilder text) {
    Step first = group.getFirst();
    Step last = group.getLast();
    text.append("@@ -")
        .append(range(first.from(), last.to()))
        .append(" +")
        .append(range(first.newFrom(), last.newTo()))
        .append(" @@\n");
    for (Step step : group) {
      for (int i = step.from(); i < step.to(); i++) {
        text.append(step.equal() ? ' ' : '-').append(before.get(i)).append('\n');
      }
      for (int i = step.newFrom(); !step.equal() && i < step.newTo(); i++) {
        text.append('+').append(after.get(i)).append('\n');
      }
    }
  }

  private static String range(int from, int to) {
    int length = to - from;
    int begin = length == 0 ? from : from + 1;
    return length == 1 ? Integer.toString(begin) : begin + "," + length;
  }
}
