package dev.berth.apiserver.aggregation;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the server of an APIService answers, as its condition {@code Available} says. */
record Availability(String status, String reason, String message) {
  private static final String TYPE = "Available";

  static final Availability LOCAL =
      new Availability("True", "Local", "Local APIServices are always available");
  static final Availability PASSED = new Availability("True", "Passed", "all checks passed");

  static Availability failed(String reason, String message) {
    return new Availability("False", reason, message);
  }

  boolean isTrue() {
    return status.equals("True");
  }

  /** A status that says this; the time of the transition stays while the status does. */
  JsonObject in(JsonObject status, Instant now) {
    List<JsonObject> conditions = new ArrayList<>(status.array("conditions").objects());
    Optional<JsonObject> before =
        conditions.stream().filter(each -> each.text("type", "").equals(TYPE)).findFirst();
    String since =
        before
            .filter(each -> each.text("status", "").equals(this.status))
            .map(each -> each.text("lastTransitionTime", ""))
            .orElseGet(() -> Times.format(now));
    JsonObject condition =
        new JsonObject.Builder()
            .put("type", TYPE)
            .put("status", this.status)
            .put("lastTransitionTime", since)
            .put("reason", reason)
            .put("message", message)
            .build();
    before.ifPresentOrElse(
        old -> conditions.set(conditions.indexOf(old), condition), () -> conditions.add(condition));
    return status.with("conditions", JsonArray.copyOf(conditions));
  }
}
