package dev.berth.kinds.events;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * The two forms of an event: that of the core group, in which events are stored, and that of the
 * group events.k8s.io. The same fields have other names, and those that the newer group gave up are
 * called deprecated there.
 */
final class EventForms {
  private static final List<String> UNCHANGED =
      List.of(
          "kind",
          "metadata",
          "eventTime",
          "series",
          "reportingInstance",
          "action",
          "reason",
          "related",
          "type");

  /** What the core group writes though it is empty, and events.k8s.io leaves out. */
  private static final List<String> WRITTEN_BY_CORE =
      List.of("reportingController", "reportingInstance");

  private EventForms() {}

  /** An event of events.k8s.io as one of the core group. */
  static JsonObject toCore(JsonObject event) {
    JsonObject.Builder core = new JsonObject.Builder();
    copy(event, core);
    rename(event, "regarding", core, "involvedObject");
    rename(event, "note", core, "message");
    rename(event, "reportingController", core, "reportingComponent");
    rename(event, "deprecatedSource", core, "source");
    rename(event, "deprecatedFirstTimestamp", core, "firstTimestamp");
    rename(event, "deprecatedLastTimestamp", core, "lastTimestamp");
    rename(event, "deprecatedCount", core, "count");
    return withVersion(core.build(), "v1");
  }

  /** An event of the core group as one of events.k8s.io. */
  static JsonObject fromCore(JsonObject event) {
    JsonObject.Builder other = new JsonObject.Builder();
    copy(event, other);
    rename(event, "involvedObject", other, "regarding");
    rename(event, "message", other, "note");
    rename(event, "reportingComponent", other, "reportingController");
    rename(event, "source", other, "deprecatedSource");
    rename(event, "firstTimestamp", other, "deprecatedFirstTimestamp");
    rename(event, "lastTimestamp", other, "deprecatedLastTimestamp");
    rename(event, "count", other, "deprecatedCount");
    JsonObject newer = withVersion(other.build(), "events.k8s.io/v1");
    for (String field : WRITTEN_BY_CORE) {
      newer = newer.text(field, "").isEmpty() ? newer.without(field) : newer;
    }
    return newer;
  }

  private static void copy(JsonObject from, JsonObject.Builder to) {
    UNCHANGED.forEach(field -> to.putIfPresent(field, from.get(field)));
  }

  private static void rename(JsonObject from, String field, JsonObject.Builder to, String name) {
    to.putIfPresent(name, from.get(field));
  }

  private static JsonObject withVersion(JsonObject event, String version) {
    JsonObject.Builder ordered =
        new JsonObject.Builder().put("kind", "Event").put("apiVersion", version);
    event.forEach((name, value) -> {
      if (!name.equals("kind")) {
        ordered.put(name, value);
      }
    });
    return ordered.build();
  }
}
