package dev.berth.sim.explain;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What keeps a pod that has a node from being ready. */
record ContainerNotes(JsonObject pod) {

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    JsonObject status = pod.object("status");
    for (String field : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonObject container : status.array(field).objects()) {
        JsonObject waiting = container.object("state").object("waiting");
        JsonObject ended = container.object("state").object("terminated");
        String name = container.text("name", "");
        if (!waiting.isEmpty()) {
          notes.add("Container %s waits: %s".formatted(name, reason(waiting)));
        } else if (!ended.isEmpty() && ended.integer("exitCode").orElse(0) != 0) {
          notes.add(
              "Container %s ended with exit code %d: %s"
                  .formatted(name, ended.integer("exitCode").orElse(0), reason(ended)));
        } else if (field.equals("containerStatuses") && !container.flag("ready", false)) {
          notes.add("Container %s is not ready.".formatted(name));
        }
      }
    }
    return notes;
  }

  private static String reason(JsonObject state) {
    String message = state.text("message", "");
    return state.text("reason", "") + (message.isEmpty() ? "" : ": " + message);
  }
}
