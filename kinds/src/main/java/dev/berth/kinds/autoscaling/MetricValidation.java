package dev.berth.kinds.autoscaling;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceAmountRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/** What is wrong with the metrics of an autoscaler. */
final class MetricValidation {
  private static final FieldPath METRICS = FieldPath.of("spec", "metrics");
  private static final List<String> TYPES =
      List.of("ContainerResource", "External", "Object", "Pods", "Resource");

  /** In the order in which they are looked at: only the first that is there is looked into. */
  private static final List<String> SOURCES =
      List.of("object", "external", "pods", "resource", "containerResource");

  private static final List<String> TARGET_TYPES = List.of("Utilization", "Value", "AverageValue");

  private MetricValidation() {}

  /** How much an API version must say. */
  enum ApiVersion {
    ANY,
    WELL_FORMED,
    WITH_GROUP;

    Optional<String> problem(String text) {
      if (this == ANY) {
        return Optional.empty();
      }
      try {
        return this == WITH_GROUP && AutoscalerRules.group(text).isEmpty()
            ? Optional.of("apiVersion must specify API group")
            : Optional.empty();
      } catch (IllegalArgumentException _) {
        return Optional.of("unexpected GroupVersion string: " + text);
      }
    }
  }

  /** Whether a metric is of an object whose API version is none. */
  static boolean hasBrokenObject(JsonObject spec) {
    return spec.array("metrics").objects().stream()
        .filter(metric -> metric.text("type", "").equals("Object"))
        .map(metric -> metric.object("object").object("describedObject"))
        .anyMatch(o -> ApiVersion.WELL_FORMED.problem(o.text("apiVersion", "")).isPresent());
  }

  static void metrics(JsonObject spec, long least, boolean anyObjects, FieldErrorList problems) {
    List<JsonObject> metrics = spec.array("metrics").objects();
    boolean wakes = false;
    for (int i = 0; i < metrics.size(); i++) {
      metric(metrics.get(i), METRICS.index(i), anyObjects, problems);
      String type = metrics.get(i).text("type", "");
      wakes |= type.equals("Object") || type.equals("External");
    }
    if (least == 0 && !wakes) {
      problems.forbidden(
          METRICS,
          "must specify at least one Object or External metric to support scaling to zero"
              + " replicas");
    }
  }

  private static void metric(
      JsonObject metric, FieldPath at, boolean anyObjects, FieldErrorList problems) {
    String type = metric.text("type", "");
    if (type.isEmpty()) {
      problems.required(at.field("type"), "must specify a metric source type");
    }
    boolean known = TYPES.contains(type);
    problems.oneOf(at.field("type"), type, TYPES);
    List<String> present = SOURCES.stream().filter(metric::has).toList();
    if (!present.isEmpty()) {
      String first = present.getFirst();
      source(first, metric.object(first), at.field(first), anyObjects, problems);
    }
    String expected = known ? Character.toLowerCase(type.charAt(0)) + type.substring(1) : "";
    if (!known) {
      problems.oneOf(at.field("type"), type, TYPES);
    } else if (!metric.has(expected)) {
      problems.required(
          at.field(expected), "must populate information for the given metric source");
    }
    if (present.size() != 1) {
      present.stream()
          .filter(source -> !source.equals(expected))
          .forEach(source ->
              problems.forbidden(at.field(source), "must populate the given metric source only"));
    }
  }

  private static void source(
      String kind, JsonObject source, FieldPath at, boolean anyObjects, FieldErrorList problems) {
    JsonObject target = source.object("target");
    FieldPath targetAt = at.field("target");
    switch (kind) {
      case "object" -> {
        AutoscalerRules.reference(
            source.object("describedObject"),
            at.field("describedObject"),
            anyObjects ? ApiVersion.ANY : ApiVersion.WELL_FORMED,
            problems);
        identifier(source, at, problems);
        target(target, targetAt, problems);
        if (!target.has("value") && !target.has("averageValue")) {
          problems.required(
              targetAt.field("averageValue"), "must set either a target value or averageValue");
        }
      }
      case "external" -> {
        identifier(source, at, problems);
        target(target, targetAt, problems);
        if (!target.has("value") && !target.has("averageValue")) {
          problems.required(
              targetAt.field("averageValue"),
              "must set either a target value for metric or a per-pod target");
        }
        if (target.has("value") && target.has("averageValue")) {
          problems.forbidden(
              targetAt.field("value"),
              "may not set both a target value for metric and a per-pod target");
        }
      }
      case "pods" -> {
        identifier(source, at, problems);
        target(target, targetAt, problems);
        if (!target.has("averageValue")) {
          problems.required(
              targetAt.field("averageValue"), "must specify a positive target averageValue");
        }
      }
      default -> resource(kind, source, at, problems);
    }
  }

  private static void resource(
      String kind, JsonObject source, FieldPath at, FieldErrorList problems) {
    if (source.text("name", "").isEmpty()) {
      problems.required(at.field("name"), "must specify a resource name");
    } else if (kind.equals("containerResource")) {
      ResourceAmountRules.containerName(source.text("name", ""), at.field("name"), problems);
    }
    if (kind.equals("containerResource")) {
      String container = source.text("container", "");
      if (container.isEmpty()) {
        problems.required(at.field("container"), "must specify a container");
      } else {
        problems.invalid(at.field("container"), container, NameRules.dns1123Label(container));
      }
    }
    JsonObject target = source.object("target");
    FieldPath targetAt = at.field("target");
    target(target, targetAt, problems);
    boolean share = target.has("averageUtilization");
    boolean amount = target.has("averageValue");
    if (!share && !amount) {
      problems.required(
          targetAt.field("averageUtilization"),
          "must set either a target raw value or a target utilization");
    }
    if (share && amount) {
      problems.forbidden(
          targetAt.field("averageValue"),
          "may not set both a target raw value and a target utilization");
    }
  }

  private static void identifier(JsonObject source, FieldPath at, FieldErrorList problems) {
    FieldPath nameAt = at.field("metric").field("name");
    String name = source.object("metric").text("name", "");
    if (name.isEmpty()) {
      problems.required(nameAt, "must specify a metric name");
    } else {
      problems.invalid(nameAt, name, NameRules.pathSegment(name));
    }
  }

  private static void target(JsonObject target, FieldPath at, FieldErrorList problems) {
    String type = target.text("type", "");
    if (type.isEmpty()) {
      problems.required(at.field("type"), "must specify a metric target type");
    }
    if (!TARGET_TYPES.contains(type)) {
      problems.invalid(
          at.field("type"), type, "must be either Utilization, Value, or AverageValue");
    }
    for (String field : List.of("value", "averageValue")) {
      Object amount = target.get(field);
      if (amount != null && Quantity.fromTree(amount).signum() <= 0) {
        problems.invalid(at.field(field), amount, "must be positive");
      }
    }
    long percent = target.integer("averageUtilization").orElse(1);
    if (percent < 1) {
      problems.invalid(at.field("averageUtilization"), percent, "must be greater than 0");
    }
  }
}
