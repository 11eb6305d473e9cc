package dev.berth.kinds.autoscaling;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Metrics as annotations of an autoscaler's older form hold them: what version 2 nests in {@code
 * metric}, {@code target} and {@code current} stands side by side there. Amounts that the older
 * form cannot leave out are 0.
 */
final class MetricForms {
  private static final List<String> SOURCES =
      List.of("object", "pods", "resource", "containerResource", "external");
  private static final String ZERO = "0";

  private MetricForms() {}

  static JsonObject olderTarget(JsonObject metric) {
    JsonObject older = metric;
    for (String kind : SOURCES) {
      if (metric.has(kind)) {
        JsonObject source = metric.object(kind);
        JsonObject target = source.object("target");
        JsonObject.Builder flat = named(kind, source);
        switch (kind) {
          case "object" ->
              flat.put("targetValue", target.text("value", ZERO))
                  .putIfPresent("selector", selector(source))
                  .putIfPresent("averageValue", target.get("averageValue"));
          case "pods" ->
              flat.put("targetAverageValue", target.text("averageValue", ZERO))
                  .putIfPresent("selector", selector(source));
          case "external" ->
              flat.putIfPresent("targetValue", target.get("value"))
                  .putIfPresent("targetAverageValue", target.get("averageValue"));
          default ->
              flat.putIfPresent("targetAverageUtilization", target.get("averageUtilization"))
                  .putIfPresent("targetAverageValue", target.get("averageValue"))
                  .putIfPresent("container", source.get("container"));
        }
        older = older.with(kind, flat.build());
      }
    }
    return older;
  }

  static JsonObject olderStatus(JsonObject metric) {
    JsonObject older = metric;
    for (String kind : SOURCES) {
      if (metric.has(kind)) {
        JsonObject source = metric.object(kind);
        JsonObject current = source.object("current");
        JsonObject.Builder flat = named(kind, source);
        switch (kind) {
          case "object" ->
              flat.put("currentValue", current.text("value", ZERO))
                  .putIfPresent("selector", selector(source))
                  .putIfPresent("averageValue", current.get("averageValue"));
          case "pods" ->
              flat.put("currentAverageValue", current.text("averageValue", ZERO))
                  .putIfPresent("selector", selector(source));
          case "external" ->
              flat.put("currentValue", current.text("value", ZERO))
                  .putIfPresent("currentAverageValue", current.get("averageValue"));
          default ->
              flat.putIfPresent("currentAverageUtilization", current.get("averageUtilization"))
                  .put("currentAverageValue", current.text("averageValue", ZERO))
                  .putIfPresent("container", source.get("container"));
        }
        older = older.with(kind, flat.build());
      }
    }
    return older;
  }

  private static @Nullable Object selector(JsonObject source) {
    return source.object("metric").get("selector");
  }

  private static JsonObject reference(JsonObject object) {
    return new JsonObject.Builder()
        .putIfPresent("kind", object.get("kind"))
        .putIfPresent("name", object.get("name"))
        .putIfPresent("apiVersion", object.get("apiVersion"))
        .build();
  }

  /** What names the metric of a source, in the order of Kubernetes' fields. */
  private static JsonObject.Builder named(String kind, JsonObject source) {
    JsonObject.Builder flat = new JsonObject.Builder();
    JsonObject metric = source.object("metric");
    switch (kind) {
      case "object" ->
          flat.put("target", reference(source.object("describedObject")))
              .put("metricName", metric.text("name", ""));
      case "pods" -> flat.put("metricName", metric.text("name", ""));
      case "external" ->
          flat.put("metricName", metric.text("name", ""))
              .putIfPresent("metricSelector", metric.get("selector"));
      default -> flat.put("name", source.text("name", ""));
    }
    return flat;
  }

  static JsonObject newerTarget(JsonObject metric) {
    JsonObject newer = metric;
    for (String kind : SOURCES) {
      if (metric.has(kind)) {
        JsonObject flat = metric.object(kind);
        newer = newer.with(kind, identity(kind, flat).put("target", target(kind, flat)).build());
      }
    }
    return newer;
  }

  private static JsonObject target(String kind, JsonObject flat) {
    JsonObject.Builder target = new JsonObject.Builder();
    Object average = flat.get(kind.equals("object") ? "averageValue" : "targetAverageValue");
    Object value = flat.get("targetValue");
    switch (kind) {
      case "object" -> {
        boolean zero = value == null || Quantity.fromTree(value).signum() == 0;
        if (average == null) {
          target.put("type", "Value").put("value", value == null ? ZERO : value);
        } else {
          target.put("type", "AverageValue").putIfPresent("value", zero ? null : value);
        }
      }
      case "pods" -> {
        target.put("type", "AverageValue");
        average = average == null ? ZERO : average;
      }
      case "external" ->
          target.put("type", value == null ? "AverageValue" : "Value").putIfPresent("value", value);
      default -> {
        Object share = flat.get("targetAverageUtilization");
        target
            .put("type", share == null ? "AverageValue" : "Utilization")
            .putIfPresent("averageUtilization", share);
      }
    }
    return target.putIfPresent("averageValue", average).build();
  }

  static JsonObject newerStatus(JsonObject metric) {
    JsonObject newer = metric;
    for (String kind : SOURCES) {
      if (metric.has(kind)) {
        JsonObject flat = metric.object(kind);
        newer = newer.with(kind, identity(kind, flat).put("current", current(kind, flat)).build());
      }
    }
    return newer;
  }

  private static JsonObject current(String kind, JsonObject flat) {
    JsonObject.Builder current = new JsonObject.Builder();
    boolean hasValue = kind.equals("object") || kind.equals("external");
    if (hasValue) {
      current.put("value", flat.text("currentValue", ZERO));
    }
    Object average = flat.get(kind.equals("object") ? "averageValue" : "currentAverageValue");
    return current
        .putIfPresent("averageUtilization", flat.get("currentAverageUtilization"))
        .putIfPresent("averageValue", average == null && !hasValue ? ZERO : average)
        .build();
  }

  private static JsonObject.Builder identity(String kind, JsonObject flat) {
    JsonObject.Builder source = new JsonObject.Builder();
    switch (kind) {
      case "resource", "containerResource" ->
          source
              .putIfPresent("name", flat.get("name"))
              .putIfPresent("container", flat.get("container"));
      default -> {
        JsonObject.Builder metric = new JsonObject.Builder();
        metric.putIfPresent("name", flat.get("metricName"));
        metric.putIfPresent(
            "selector", flat.get(kind.equals("external") ? "metricSelector" : "selector"));
        source.put("metric", metric.build());
        if (kind.equals("object")) {
          source.put("describedObject", flat.object("target"));
        }
      }
    }
    return source;
  }
}
