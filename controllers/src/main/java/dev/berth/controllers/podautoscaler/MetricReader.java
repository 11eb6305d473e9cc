package dev.berth.controllers.podautoscaler;

import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.WireTime;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.autoscale.PodMetric;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reads the objects of the metrics APIs. */
final class MetricReader {
  /** What metrics are the average of if they do not say. */
  private static final Duration DEFAULT_WINDOW = Duration.ofMinutes(1);

  private MetricReader() {}

  /**
   * What pods use of a resource, by their names. Pods of which that is not known for all containers
   * are left out.
   *
   * @param metrics of kind PodMetrics
   * @param container whose use is meant; empty for whole pods
   */
  static Map<String, PodMetric> usage(List<JsonObject> metrics, String resource, String container) {
    Map<String, PodMetric> usage = new LinkedHashMap<>();
    for (JsonObject metric : metrics) {
      OptionalLong sum = sum(metric.array("containers").objects(), resource, container);
      if (sum.isPresent()) {
        Duration window = GoDuration.parse(metric.text("window", ""));
        usage.put(
            metric.object("metadata").text("name", ""),
            new PodMetric(
                timestamp(metric), window == null ? Duration.ZERO : window, sum.getAsLong()));
      }
    }
    return usage;
  }

  private static OptionalLong sum(List<JsonObject> containers, String resource, String container) {
    long sum = 0;
    boolean isFound = false;
    for (JsonObject each : containers) {
      if (container.isEmpty() || each.text("name", "").equals(container)) {
        ResourceList used = ResourceList.read(each.object("usage"));
        if (!used.has(resource)) {
          return OptionalLong.empty();
        }
        sum += used.get(resource).milliValue();
        isFound = true;
      }
    }
    return isFound ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  /**
   * Custom metrics of pods, by their names.
   *
   * @param metrics of kind MetricValue
   */
  static Map<String, PodMetric> ofPods(List<JsonObject> metrics) {
    Map<String, PodMetric> values = new LinkedHashMap<>();
    for (JsonObject metric : metrics) {
      // The two versions have two words for it.
      OptionalLong seconds =
          metric.has("windowSeconds") ? metric.integer("windowSeconds") : metric.integer("window");
      values.put(
          metric.object("describedObject").text("name", ""),
          new PodMetric(
              timestamp(metric),
              seconds.isPresent() ? Duration.ofSeconds(seconds.getAsLong()) : DEFAULT_WINDOW,
              value(metric)));
    }
    return values;
  }

  /** Values of metrics, in thousandths. */
  static List<Long> values(List<JsonObject> metrics) {
    return metrics.stream().map(MetricReader::value).toList();
  }

  private static long value(JsonObject metric) {
    Object value = metric.get("value");
    try {
      return value == null ? 0 : Quantity.fromTree(value).milliValue();
    } catch (QuantityFormatException e) {
      throw new JsonException(String.valueOf(e.getMessage()));
    }
  }

  private static Instant timestamp(JsonObject metric) {
    Instant time = WireTime.read(metric, "timestamp");
    return time == null ? Instant.EPOCH : time;
  }
}
