package dev.berth.kinds.autoscaling;

import dev.berth.kinds.column.Cells;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The metrics of an autoscaler as a table shows them: what is measured, and what is aimed at. */
final class MetricCells {
  private static final String UNKNOWN = "<unknown>";
  private static final int MOST_SHOWN = 2;

  private MetricCells() {}

  static String targets(JsonObject scaler) {
    List<JsonObject> metrics = scaler.object("spec").array("metrics").objects();
    List<JsonObject> measured = scaler.object("status").array("currentMetrics").objects();
    if (metrics.isEmpty()) {
      return Cells.NONE;
    }
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < Math.min(metrics.size(), MOST_SHOWN); i++) {
      cells.add(cell(metrics.get(i), i < measured.size() ? measured.get(i) : JsonObject.EMPTY));
    }
    String shown = String.join(", ", cells);
    return metrics.size() > MOST_SHOWN
        ? "%s + %d more...".formatted(shown, metrics.size() - MOST_SHOWN)
        : shown;
  }

  private static String cell(JsonObject metric, JsonObject measured) {
    return switch (metric.text("type", "")) {
      case "External" -> valueOrAverage(metric.object("external"), measured.object("external"));
      case "Object" -> valueOrAverage(metric.object("object"), measured.object("object"));
      case "Pods" -> {
        JsonObject target = metric.object("pods").object("target");
        yield current(measured.object("pods"), "averageValue")
            + "/"
            + target.text("averageValue", "");
      }
      case "Resource" -> resource(metric.object("resource"), measured.object("resource"));
      case "ContainerResource" ->
          resource(metric.object("containerResource"), measured.object("containerResource"));
      default -> "<unknown type>";
    };
  }

  private static String valueOrAverage(JsonObject source, JsonObject measured) {
    JsonObject target = source.object("target");
    return target.has("averageValue")
        ? "%s/%s (avg)"
            .formatted(current(measured, "averageValue"), target.text("averageValue", ""))
        : "%s/%s".formatted(current(measured, "value"), target.text("value", ""));
  }

  private static String resource(JsonObject source, JsonObject measured) {
    JsonObject target = source.object("target");
    String name = source.text("name", "");
    if (target.has("averageValue")) {
      return "%s: %s/%s"
          .formatted(name, current(measured, "averageValue"), target.text("averageValue", ""));
    }
    Object percent = measured.object("current").get("averageUtilization");
    Object wanted = target.get("averageUtilization");
    return "%s: %s/%s"
        .formatted(
            name,
            percent == null ? UNKNOWN : percent + "%",
            wanted == null ? "<auto>" : wanted + "%");
  }

  private static String current(JsonObject measured, String field) {
    return measured.object("current").text(field, UNKNOWN);
  }
}
