package dev.berth.cli.foresight;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** The explanation of a node, for people. */
final class NodeText {
  private static final int SHOWN_EVICTIONS = 20;

  private NodeText() {}

  static void print(JsonObject told, Screen screen) {
    screen.field(
        "Node",
        told.text("node", "")
            + (told.flag("ready", false) ? ", ready" : ", not ready")
            + (told.flag("cordoned", false) ? ", cordoned" : ""));
    if (told.has("leaseRenewed")) {
      screen.field("Heartbeat", "its lease was last renewed at " + told.text("leaseRenewed", ""));
    }
    JsonObject zone = told.object("zone");
    screen.field("Zone", zone.text("explanation", zone.text("name", "none")));
    if (zone.has("turn")) {
      screen.field("", zone.text("turn", ""));
    }
    screen.line("");
    conditions(told.array("conditions"), screen);
    taints(told.array("taints"), screen);
    resources(told, screen);
    evictions(told, screen);
  }

  private static void conditions(JsonArray conditions, Screen screen) {
    TextTable table =
        new TextTable(screen.width(), "  ", "CONDITION", "STATUS", "SINCE", "REASON", "MESSAGE");
    for (JsonObject condition : conditions.objects()) {
      table.row(
          condition.text("type", ""),
          condition.text("status", ""),
          condition.text("since", "-"),
          condition.text("reason", ""),
          condition.text("message", ""));
    }
    screen.table(table);
    screen.line("");
  }

  private static void taints(JsonArray taints, Screen screen) {
    if (taints.isEmpty()) {
      screen.line("It has no taints.");
      return;
    }
    TextTable table = new TextTable(screen.width(), "  ", "TAINT", "SINCE", "SET BY");
    for (JsonObject taint : taints.objects()) {
      table.row(taint.text("taint", ""), taint.text("since", "-"), taint.text("by", ""));
    }
    screen.table(table);
  }

  private static void resources(JsonObject told, Screen screen) {
    screen.line("");
    TextTable table =
        new TextTable(screen.width(), "  ", "RESOURCE", "ALLOCATABLE", "REQUESTED", "FREE");
    for (JsonObject resource : told.array("resources").objects()) {
      table.row(
          resource.text("resource", ""),
          resource.text("allocatable", ""),
          resource.text("requested", ""),
          resource.text("free", ""));
    }
    screen.table(table);
    screen.line("");
  }

  private static void evictions(JsonObject told, Screen screen) {
    long pods = told.integer("pods").orElse(0);
    JsonArray evictions = told.array("evictions");
    if (evictions.isEmpty()) {
      screen.line(
          pods == 0
              ? "It has no pods."
              : "None of its pods (%d) leaves because of its taints.".formatted(pods));
      return;
    }
    screen.line(
        Screen.Look.WARNING,
        "%d of its %d pods %s because of its taints:"
            .formatted(evictions.size(), pods, evictions.size() == 1 ? "leaves" : "leave"));
    TextTable table = new TextTable(screen.width(), "  ", "WHEN", "POD", "BECAUSE OF");
    evictions.objects().stream()
        .limit(SHOWN_EVICTIONS)
        .forEach(each ->
            table.row(
                each.text("at", ""),
                each.text("pod", ""),
                each.text("because", "")
                    + (each.has("heldBackUntil")
                        ? "; budgets may hold it back until " + each.text("heldBackUntil", "")
                        : "")));
    screen.table(table);
    if (evictions.size() > SHOWN_EVICTIONS) {
      screen.line(
          "  … and %d more; -o json shows all.".formatted(evictions.size() - SHOWN_EVICTIONS));
    }
  }
}
