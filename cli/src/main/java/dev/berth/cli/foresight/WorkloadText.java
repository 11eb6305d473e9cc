package dev.berth.cli.foresight;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The explanation of a workload, for people. */
final class WorkloadText {
  private static final int SHOWN_PODS = 5;

  private WorkloadText() {}

  static void print(JsonObject told, Screen screen) {
    screen.field("Workload", told.text("workload", "") + " in " + told.text("namespace", ""));
    screen.field(
        "Pods",
        "%d wanted, %d there, %d ready, %d without a node, %d terminating"
            .formatted(
                told.integer("wanted").orElse(0),
                told.integer("pods").orElse(0),
                told.integer("ready").orElse(0),
                told.integer("pending").orElse(0),
                told.integer("terminating").orElse(0)));
    told.array("notes").texts().forEach(note -> screen.field("", note));
    for (JsonObject budget : told.array("budgets").objects()) {
      screen.field(
          "Budget",
          "%s: %d healthy, %d needed, %d may be disrupted"
              .formatted(
                  budget.text("name", ""),
                  budget.integer("healthy").orElse(0),
                  budget.integer("needed").orElse(0),
                  budget.integer("disruptionsAllowed").orElse(0)));
    }
    for (JsonObject group : told.array("waiting").objects()) {
      screen.line("");
      List<String> pods = group.array("pods").texts();
      screen.field(
          "Waiting",
          String.join(", ", pods.subList(0, Math.min(SHOWN_PODS, pods.size())))
              + (pods.size() > SHOWN_PODS
                  ? " and %d more".formatted(pods.size() - SHOWN_PODS)
                  : ""));
      group.array("notes").texts().forEach(note -> screen.field("", note));
      PodText.scheduling(group.object("scheduling"), screen);
    }
  }
}
