package dev.berth.kinds.autoscaling;

import dev.berth.kinds.resource.Conforming;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The two forms of an autoscaler. Version 1 knows the share of the processor time alone; all else
 * of version 2 stands in annotations there, so that who writes back what was read loses nothing.
 */
final class AutoscalerForms {
  private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
  private static final String METRICS = PREFIX + "metrics";
  private static final String CURRENT_METRICS = PREFIX + "current-metrics";
  private static final String CONDITIONS = PREFIX + "conditions";
  private static final String BEHAVIOR = PREFIX + "behavior";
  private static final List<String> ANNOTATIONS =
      List.of(
          METRICS,
          CURRENT_METRICS,
          CONDITIONS,
          BEHAVIOR,
          PREFIX + "scale-down-tolerance",
          PREFIX + "scale-up-tolerance");
  private static final String NEWER_VERSION = "autoscaling/v2";
  private static final GroupVersionKind NEWER =
      new GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler");
  private static final long DEFAULT_PERCENT = 80;

  private AutoscalerForms() {}

  /** An autoscaler of version 2 as one of version 1. */
  static JsonObject fromNewer(JsonObject scaler) {
    JsonObject spec = scaler.object("spec");
    JsonObject status = scaler.object("status");
    JsonObject older = scaler.with("apiVersion", "autoscaling/v1");
    List<JsonObject> metrics = spec.array("metrics").objects();
    if (scaler.has("spec")) {
      JsonObject flat = spec.without("metrics").without("behavior");
      Optional<JsonObject> cpu = metrics.stream().filter(AutoscalerForms::isCpuShare).findFirst();
      Object percent =
          cpu.map(metric -> metric.object("resource").object("target"))
              .orElse(JsonObject.EMPTY)
              .get("averageUtilization");
      older =
          older.with(
              "spec",
              percent == null ? flat : flat.with("targetCPUUtilizationPercentage", percent));
    }
    List<JsonObject> measured = status.array("currentMetrics").objects();
    if (scaler.has("status")) {
      JsonObject flat = status.without("currentMetrics").without("conditions");
      // Always there in the older form, and left out in the newer one while it is zero.
      flat = flat.has("currentReplicas") ? flat : flat.with("currentReplicas", 0L);
      for (JsonObject metric : measured) {
        Object percent = metric.object("resource").object("current").get("averageUtilization");
        if (isCpu(metric) && percent != null) {
          flat = flat.with("currentCPUUtilizationPercentage", percent);
        }
      }
      older = older.with("status", flat);
    }
    older = withoutAnnotations(older);
    older =
        annotated(
            older,
            METRICS,
            metrics.stream()
                .filter(metric -> !isCpuShare(metric))
                .map(MetricForms::olderTarget)
                .toList());
    older =
        annotated(older, CURRENT_METRICS, measured.stream().map(MetricForms::olderStatus).toList());
    if (spec.has("behavior")) {
      older = annotated(older, BEHAVIOR, BehaviorForms.older(spec.object("behavior")));
    }
    return annotated(older, CONDITIONS, status.array("conditions").objects());
  }

  private static boolean isCpu(JsonObject metric) {
    return metric.text("type", "").equals("Resource")
        && metric.object("resource").text("name", "").equals("cpu");
  }

  private static boolean isCpuShare(JsonObject metric) {
    return isCpu(metric) && metric.object("resource").object("target").has("averageUtilization");
  }

  private static JsonObject annotated(JsonObject scaler, String key, List<JsonObject> values) {
    return values.isEmpty() ? scaler : annotated(scaler, key, JsonArray.copyOf(values));
  }

  private static JsonObject annotated(JsonObject scaler, String key, Object value) {
    return Metadata.update(
        scaler,
        metadata ->
            metadata.with(
                "annotations", metadata.object("annotations").with(key, JsonWriter.toText(value))));
  }

  private static JsonObject withoutAnnotations(JsonObject scaler) {
    JsonObject annotations = scaler.object("metadata").object("annotations");
    JsonObject kept = annotations;
    for (String key : ANNOTATIONS) {
      kept = kept.without(key);
    }
    if (kept.size() == annotations.size()) {
      return scaler;
    }
    JsonObject all = kept;
    return Metadata.update(
        scaler,
        metadata ->
            all.isEmpty() ? metadata.without("annotations") : metadata.with("annotations", all));
  }

  /** An autoscaler of version 1 as one of version 2. */
  static JsonObject toNewer(JsonObject scaler) {
    JsonObject newer = scaler.with("apiVersion", NEWER_VERSION);
    JsonObject spec = scaler.object("spec");
    JsonObject status = scaler.object("status");
    if (scaler.has("spec")) {
      Object percent = spec.get("targetCPUUtilizationPercentage");
      JsonObject flat = spec.without("targetCPUUtilizationPercentage");
      newer =
          newer.with(
              "spec",
              percent == null
                  ? flat
                  : flat.with("metrics", JsonArray.of(AutoscalerRules.cpu(percent))));
    }
    if (scaler.has("status")) {
      Object percent = status.get("currentCPUUtilizationPercentage");
      JsonObject flat = status.without("currentCPUUtilizationPercentage");
      newer =
          newer.with(
              "status",
              percent == null
                  ? flat
                  : flat.with("currentMetrics", JsonArray.of(measuredCpu(percent))));
    }
    JsonObject annotations = scaler.object("metadata").object("annotations");
    newer = with(newer, "spec", "metrics", annotations.text(METRICS, ""), MetricForms::newerTarget);
    if (newer.has("spec") && newer.object("spec").array("metrics").isEmpty()) {
      newer =
          newer.with(
              "spec",
              newer
                  .object("spec")
                  .with("metrics", JsonArray.of(AutoscalerRules.cpu(DEFAULT_PERCENT))));
    }
    newer =
        with(
            newer,
            "status",
            "currentMetrics",
            annotations.text(CURRENT_METRICS, ""),
            MetricForms::newerStatus);
    newer = with(newer, "status", "conditions", annotations.text(CONDITIONS, ""), c -> c);
    return withoutAnnotations(withBehavior(newer, annotations.text(BEHAVIOR, "")));
  }

  private static JsonObject measuredCpu(Object percent) {
    JsonObject current = JsonObject.of("averageUtilization", percent);
    return JsonObject.of("type", "Resource")
        .with("resource", JsonObject.of("name", "cpu").with("current", current));
  }

  /**
   * The autoscaler with the list that an annotation holds, before what is there of metrics. An
   * annotation that is not of the right form says nothing.
   */
  private static JsonObject with(
      JsonObject scaler, String part, String field, String text, UnaryOperator<JsonObject> form) {
    if (text.isEmpty()) {
      return scaler;
    }
    try {
      if (!(read(text) instanceof JsonArray read)) {
        return scaler;
      }
      JsonArray all = read.mapObjects(form);
      if (field.equals("metrics")) {
        for (Object known : scaler.object(part).array(field).values()) {
          all = all.append(known);
        }
      }
      return conforming(scaler.with(part, scaler.object(part).with(field, all)));
    } catch (JsonException | ClassCastException _) {
      return scaler;
    }
  }

  private static JsonObject withBehavior(JsonObject scaler, String text) {
    if (text.isEmpty()) {
      return scaler;
    }
    try {
      if (!(read(text) instanceof JsonObject behavior) || behavior.isEmpty()) {
        return scaler;
      }
      JsonObject spec = scaler.object("spec");
      return conforming(scaler.with("spec", spec.with("behavior", BehaviorForms.newer(behavior))));
    } catch (JsonException _) {
      return scaler;
    }
  }

  private static Object read(String text) {
    return JsonReader.value(text.getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject conforming(JsonObject scaler) {
    return Conforming.shape(scaler, JsonObject.EMPTY, NEWER, Schemas.builtIn()).object();
  }
}
