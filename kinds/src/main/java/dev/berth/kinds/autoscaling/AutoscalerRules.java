package dev.berth.kinds.autoscaling;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Autoscalers: what is scaled, between which numbers, by which metrics, how fast. */
final class AutoscalerRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TARGET = SPEC.field("scaleTargetRef");
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final long DEFAULT_PERCENT = 80;

  @Override
  public JsonObject defaults(JsonObject scaler) {
    return FieldRules.within(
        scaler,
        "spec",
        spec -> {
          JsonObject filled = FieldRules.orDefault(spec, "minReplicas", 1L);
          if (filled.array("metrics").isEmpty()) {
            filled = filled.with("metrics", JsonArray.of(cpu(DEFAULT_PERCENT)));
          }
          return filled.has("behavior")
              ? filled.with("behavior", ScalingBehavior.defaults(filled.object("behavior")))
              : filled;
        });
  }

  /** The metric of the share of the processor time that was asked for. */
  static JsonObject cpu(Object percent) {
    JsonObject target = JsonObject.of("type", "Utilization").with("averageUtilization", percent);
    return JsonObject.of("type", "Resource")
        .with("resource", JsonObject.of("name", "cpu").with("target", target));
  }

  @Override
  public List<FieldError> validate(JsonObject scaler) {
    return spec(scaler.object("spec"), 1, apiVersion(scaler), false);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject scaler, JsonObject old) {
    JsonObject spec = scaler.object("spec");
    JsonObject before = old.object("spec");
    JsonObject target = spec.object("scaleTargetRef");
    JsonObject targetBefore = before.object("scaleTargetRef");
    boolean sameTarget =
        target.text("apiVersion", "").equals(targetBefore.text("apiVersion", ""))
            && target.text("kind", "").equals(targetBefore.text("kind", ""));
    long least = before.integer("minReplicas").orElse(1) == 0 ? 0 : 1;
    return spec(
        spec,
        least,
        sameTarget ? MetricValidation.ApiVersion.ANY : apiVersion(scaler),
        MetricValidation.hasBrokenObject(before));
  }

  /** Of the core group nothing can be scaled but ReplicationControllers. */
  private static MetricValidation.ApiVersion apiVersion(JsonObject scaler) {
    return scaler
            .object("spec")
            .object("scaleTargetRef")
            .text("kind", "")
            .equals("ReplicationController")
        ? MetricValidation.ApiVersion.WELL_FORMED
        : MetricValidation.ApiVersion.WITH_GROUP;
  }

  private static List<FieldError> spec(
      JsonObject spec, long least, MetricValidation.ApiVersion target, boolean anyObjects) {
    FieldErrorList problems = new FieldErrorList();
    long min = spec.integer("minReplicas").orElse(1);
    long max = spec.integer("maxReplicas").orElse(0);
    if (min < least) {
      problems.invalid(SPEC.field("minReplicas"), min, "must be greater than or equal to " + least);
    }
    if (max == 0) {
      problems.required(SPEC.field("maxReplicas"), "must be set and greater than 0");
    } else if (max < 0) {
      problems.invalid(SPEC.field("maxReplicas"), max, "must be greater than or equal to 1");
    }
    if (max < min) {
      problems.invalid(
          SPEC.field("maxReplicas"), max, "must be greater than or equal to `minReplicas`");
    }
    reference(spec.object("scaleTargetRef"), TARGET, target, problems);
    MetricValidation.metrics(spec, min, anyObjects, problems);
    if (spec.has("behavior")) {
      ScalingBehavior.validate(spec.object("behavior"), SPEC.field("behavior"), problems);
    }
    return problems.all();
  }

  /** An object of any kind, by its kind and name. */
  static void reference(
      JsonObject reference,
      FieldPath at,
      MetricValidation.ApiVersion version,
      FieldErrorList problems) {
    for (String field : List.of("kind", "name")) {
      if (problems.present(reference, field, at)) {
        String text = reference.text(field, "");
        problems.invalid(at.field(field), text, NameRules.pathSegment(text));
      }
    }
    String text = reference.text("apiVersion", "");
    version.problem(text).ifPresent(p -> problems.invalid(at.field("apiVersion"), text, p));
  }

  /** The group of an API version; throws if it is none. */
  static String group(String apiVersion) {
    return apiVersion.isEmpty() ? "" : GroupVersion.parse(apiVersion).group();
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject scaler, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject status = scaler.object("status");
    problems.notNegative(status, "currentReplicas", STATUS);
    problems.notNegative(status, "desiredReplicas", STATUS);
    return problems.all();
  }
}
