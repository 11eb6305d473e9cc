package dev.berth.cli.foresight;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.scenario.Spans;
import java.time.Duration;

/** A forecast, for people. */
final class ForecastText {
  private static final int SHOWN = 25;

  private ForecastText() {}

  static void print(JsonObject told, Screen screen) {
    JsonArray leaving = told.array("leaving");
    JsonArray staying = told.array("staying");
    JsonArray blocked = told.array("blocked");
    long pending = leaving.objects().stream().filter(pod -> pod.has("pending")).count();
    long gone = leaving.objects().stream().filter(pod -> pod.has("then")).count();
    screen.line(
        Screen.Look.HEADING,
        "%s: %s %s (%d %s pending then, %d %s not replaced), %d %s held back, %d %s."
            .formatted(
                count(told.array("nodes").size(), "node"),
                count(leaving.size(), "pod"),
                leaving.size() == 1 ? "leaves" : "leave",
                pending,
                pending == 1 ? "stays" : "stay",
                gone,
                gone == 1 ? "is" : "are",
                blocked.size(),
                blocked.size() == 1 ? "is" : "are",
                staying.size(),
                staying.size() == 1 ? "stays" : "stay"));
    told.array("zones").texts().forEach(zone -> screen.item(Screen.Look.WARNING, "Then: ", zone));
    leaving(leaving, screen);
    simple("HELD BACK BY A BUDGET", blocked, screen);
    simple("STAYS", staying, screen);
    workloads(told, screen);
  }

  private static String count(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static void leaving(JsonArray leaving, Screen screen) {
    if (leaving.isEmpty()) {
      return;
    }
    screen.line("");
    TextTable table =
        new TextTable(screen.width(), "  ", "LEAVES AFTER", "POD", "FROM", "TO", "BECAUSE");
    leaving.objects().stream()
        .limit(SHOWN)
        .forEach(pod ->
            table.row(
                span(pod, "at"),
                pod.text("pod", ""),
                pod.text("node", ""),
                pod.text("to", pod.has("pending") ? "pending" : "-"),
                pod.text("because", "")
                    + (pod.has("pending") ? "; " + pod.text("pending", "") : "")
                    + (pod.has("then") ? "; " + pod.text("then", "") : "")));
    screen.table(table);
    more(leaving.size(), screen);
  }

  private static void simple(String heading, JsonArray pods, Screen screen) {
    if (pods.isEmpty()) {
      return;
    }
    screen.line("");
    TextTable table = new TextTable(screen.width(), "  ", heading, "NODE", "BECAUSE");
    pods.objects().stream()
        .limit(SHOWN)
        .forEach(
            pod -> table.row(pod.text("pod", ""), pod.text("node", ""), pod.text("because", "")));
    screen.table(table);
    more(pods.size(), screen);
  }

  private static void workloads(JsonObject told, Screen screen) {
    JsonArray workloads = told.array("workloads");
    screen.line("");
    if (workloads.isEmpty()) {
      screen.line(Screen.Look.GOOD, "No workload has fewer ready pods than it wants.");
      return;
    }
    TextTable table =
        new TextTable(
            screen.width(), "  ", "WORKLOAD", "WANTED", "READY AT WORST", "FROM", "UNTIL");
    workloads.objects().stream()
        .limit(SHOWN)
        .forEach(each ->
            table.row(
                each.text("workload", ""),
                Long.toString(each.integer("wanted").orElse(0)),
                Long.toString(each.integer("lowest").orElse(0)),
                span(each, "from"),
                each.has("until") ? span(each, "until") : "not within the horizon"));
    screen.table(table);
    more(workloads.size(), screen);
    for (JsonObject budget : told.array("budgets").objects()) {
      screen.line(
          Screen.Look.BAD,
          "Budget %s is broken: %d healthy of %d needed, from %s until %s."
              .formatted(
                  budget.text("budget", ""),
                  budget.integer("lowest").orElse(0),
                  budget.integer("needed").orElse(0),
                  span(budget, "from"),
                  budget.has("until") ? span(budget, "until") : "beyond the horizon"));
    }
  }

  private static void more(int size, Screen screen) {
    if (size > SHOWN) {
      screen.line("  … and %d more; -o json shows all.".formatted(size - SHOWN));
    }
  }

  /** To the second: nothing is known more exactly. */
  private static String span(JsonObject object, String field) {
    long seconds =
        object.get(field) instanceof JsonNumber number
            ? Math.round(number.approximate())
            : object.integer(field).orElse(0);
    return Spans.text(Duration.ofSeconds(seconds));
  }
}
