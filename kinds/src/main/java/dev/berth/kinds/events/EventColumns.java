package dev.berth.kinds.events;

import dev.berth.kinds.column.Ages;
import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Locale;

/** How events are printed. */
final class EventColumns {
  /** Events by the time they were last seen. */
  static final Column LAST_SEEN =
      Column.timed("Last Seen", "When it happened last.", EventColumns::lastSeen);

  static final Column FIRST_SEEN =
      Column.timed("First Seen", "When it happened first.", EventColumns::firstSeen).wide();

  static final Column TYPE =
      Column.text("Type", "Whether it matters: Normal or Warning.", Cells.text("type", ""));

  static final Column REASON =
      Column.text("Reason", "Why it happened, in a word.", Cells.text("reason", ""));

  static final Column OBJECT =
      Column.text(
          "Object",
          "What it happened to.",
          event -> {
            JsonObject object = event.object("involvedObject");
            String kind = object.text("kind", "").toLowerCase(Locale.ROOT);
            String name = object.text("name", "");
            return name.isEmpty() ? kind : kind + "/" + name;
          });

  static final Column SUBOBJECT =
      Column.text(
              "Subobject", "Which part of the object.", Cells.text("involvedObject.fieldPath", ""))
          .wide();

  static final Column SOURCE =
      Column.text(
              "Source",
              "Who tells.",
              event -> {
                JsonObject source = event.object("source");
                String component = source.text("component", event.text("reportingComponent", ""));
                String host = source.text("host", event.text("reportingInstance", ""));
                return host.isEmpty() ? component : component + ", " + host;
              })
          .wide();

  static final Column MESSAGE =
      Column.text("Message", "What happened.", event -> event.text("message", "").strip());

  static final Column COUNT =
      Column.number("Count", "How often it happened.", EventColumns::count).typed("string").wide();

  private EventColumns() {}

  private static long count(JsonObject event) {
    long series = event.object("series").integer("count").orElse(0);
    return series > 0 ? series : Math.max(1, event.integer("count").orElse(1));
  }

  private static Object firstSeen(JsonObject event, Instant now) {
    String first = event.text("firstTimestamp");
    return Ages.since(first == null ? event.text("eventTime") : first, now);
  }

  private static Object lastSeen(JsonObject event, Instant now) {
    String series = event.object("series").text("lastObservedTime");
    if (series != null) {
      return Ages.since(series, now);
    }
    String last = event.text("lastTimestamp");
    return last == null ? firstSeen(event, now) : Ages.since(last, now);
  }
}
