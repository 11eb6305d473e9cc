package dev.berth.cli.foresight;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The explanation of a pod, for people. */
final class PodText {
  private static final int SHOWN_NODES = 3;

  private PodText() {}

  static void print(JsonObject told, Screen screen) {
    screen.field("Pod", told.text("pod", ""));
    screen.field("Phase", told.text("phase", ""));
    screen.field("Node", told.text("node", "none"));
    told.array("notes").texts().forEach(note -> screen.field("", note));
    if (told.has("deletion")) {
      deletion(told.object("deletion"), screen);
    }
    if (told.has("stay")) {
      stay(told.object("stay"), screen);
    }
    if (told.has("scheduling")) {
      scheduling(told.object("scheduling"), screen);
    }
  }

  private static void deletion(JsonObject deletion, Screen screen) {
    screen.field(
        "Deletion",
        "asked for, with %d s to end, until %s"
            .formatted(
                deletion.integer("gracePeriodSeconds").orElse(0), deletion.text("deadline", "")));
    deletion.array("heldBy").texts().forEach(what -> screen.field("", "held by " + what));
  }

  private static void stay(JsonObject stay, Screen screen) {
    screen.field("Stay", stay.text("verdict", ""));
    TextTable table =
        new TextTable(screen.width(), "  ", "TAINT", "SINCE", "EFFECT", "TOLERATED BY");
    for (JsonObject taint : stay.array("taints").objects()) {
      table.row(
          taint.text("taint", ""),
          taint.text("since", "-"),
          taint.text("effect", ""),
          taint.text("toleratedBy", "-"));
    }
    if (!table.isEmpty()) {
      screen.line("");
      screen.table(table);
      screen.line("");
    }
    List<String> fails = stay.array("ifNodeFails").texts();
    if (!fails.isEmpty()) {
      screen.field("If it fails", String.join("; ", fails));
    }
  }

  static void scheduling(JsonObject scheduling, Screen screen) {
    screen.field("Scheduler", scheduling.text("scheduler", ""));
    if (scheduling.has("wouldGoTo")) {
      long feasible = scheduling.integer("feasible").orElse(0);
      screen.item(
          Screen.Look.GOOD,
          "",
          ("It would be scheduled now, to %s; %d %s do. If it stays pending, it waits in a back-off of"
                  + " at most 10 s, or no scheduler is running.")
              .formatted(
                  scheduling.text("wouldGoTo", ""),
                  feasible,
                  feasible == 1 ? "node would" : "nodes would"));
    }
    if (scheduling.has("reasons")) {
      reasons(scheduling, screen);
    }
    if (scheduling.has("preempts")) {
      JsonObject preempts = scheduling.object("preempts");
      screen.field(
          "Preemption",
          "it would preempt %s on %s"
              .formatted(
                  String.join(", ", preempts.array("victims").texts()), preempts.text("node", "")));
    }
    suggestions(scheduling.array("suggestions"), scheduling.has("reasons"), screen);
  }

  private static void reasons(JsonObject scheduling, Screen screen) {
    screen.line("");
    screen.line(
        Screen.Look.BAD,
        "0 of %d nodes would do:".formatted(scheduling.integer("nodes").orElse(0)));
    TextTable table = new TextTable(screen.width(), "  ", "COUNT", "REASON", "PLUGIN", "NODES");
    for (JsonObject reason : scheduling.array("reasons").objects()) {
      table.row(
          Long.toString(reason.integer("count").orElse(0)),
          reason.text("reason", "")
              + (reason.has("detail") ? "; " + reason.text("detail", "") : ""),
          reason.text("plugin", ""),
          some(reason.array("nodes").texts()));
    }
    screen.table(table);
    screen.line("");
  }

  private static String some(List<String> names) {
    String first = String.join(", ", names.subList(0, Math.min(SHOWN_NODES, names.size())));
    return names.size() > SHOWN_NODES ? first + ", …" : first;
  }

  private static void suggestions(JsonArray suggestions, boolean isUnschedulable, Screen screen) {
    if (suggestions.isEmpty()) {
      if (isUnschedulable) {
        screen.line("No small change was found that would let it in.");
      }
      return;
    }
    screen.line(Screen.Look.HEADING, "What would let it in (each was tried, and is enough):");
    int number = 1;
    for (JsonObject suggestion : suggestions.objects()) {
      screen.item(
          Screen.Look.GOOD,
          "  %d. ".formatted(number++),
          "%s → %s"
              .formatted(
                  String.join("; and ", suggestion.array("changes").texts()),
                  suggestion.text("node", "")));
    }
  }
}
