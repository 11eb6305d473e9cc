package dev.berth.customresources.instance;

import dev.berth.kinds.column.Ages;
import dev.berth.kinds.column.Column;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The columns that a definition adds to the name; without any, the age. */
final class PrinterColumns {
  private static final JsonObject AGE =
      new JsonObject.Builder()
          .put("name", "Age")
          .put("type", "date")
          .put("jsonPath", ".metadata.creationTimestamp")
          .put("description", "How long ago the object was created.")
          .build();

  private PrinterColumns() {}

  static Column[] of(JsonArray declared) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.NAME);
    List<JsonObject> all = declared.isEmpty() ? List.of(AGE) : declared.objects();
    for (JsonObject column : all) {
      String expression = column.text("jsonPath", "");
      JsonPath path = JsonPath.parse(expression).orElse(null);
      if (path == null) {
        // One that cannot be read hides itself and those behind it, as upstream.
        break;
      }
      String type = column.text("type", "");
      columns.add(
          new Column(
              column.text("name", ""),
              type,
              column.text("format", ""),
              column.text(
                  "description",
                  "Custom resource definition column (in JSONPath format): " + expression),
              (int) column.integer("priority").orElse(0),
              (object, now) -> cell(path.find(object), type, now)));
    }
    return columns.toArray(Column[]::new);
  }

  private static Object cell(List<Object> found, String type, Instant now) {
    Object value = found.isEmpty() ? JsonNull.NULL : found.getFirst();
    return switch (type) {
      case "string" -> found.isEmpty() ? JsonNull.NULL : JsonPath.text(value);
      case "integer" ->
          switch (value) {
            case Long number -> number;
            case JsonNumber number -> (long) number.approximate();
            default -> JsonNull.NULL;
          };
      case "number" -> value instanceof Long || value instanceof JsonNumber ? value : JsonNull.NULL;
      case "boolean" -> value instanceof Boolean ? value : JsonNull.NULL;
      case "date" -> value instanceof String text ? date(text, now) : JsonNull.NULL;
      default -> JsonNull.NULL;
    };
  }

  private static String date(String text, Instant now) {
    try {
      return Ages.since(text, now);
    } catch (IllegalArgumentException _) {
      return "<invalid>";
    }
  }
}
