package dev.berth.kinds.apps;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.PodTemplateValidation;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;

/**
 * DaemonSets. How often their template changed stands in an annotation, which older clients read.
 */
final class DaemonSetRules extends WorkloadRules {
  private static final String TEMPLATE_GENERATION =
      WellKnownAnnotations.DAEMON_SET_TEMPLATE_GENERATION;

  DaemonSetRules(TolerationRules tolerations) {
    super(tolerations);
  }

  @Override
  JsonObject ownDefaults(JsonObject spec) {
    return rollingByDefault(
        FieldRules.orDefault(spec, "revisionHistoryLimit", 10L),
        "updateStrategy",
        rolling ->
            FieldRules.orDefault(
                FieldRules.orDefault(rolling, "maxUnavailable", 1L), "maxSurge", 0L));
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return withGeneration(super.defaults(object), templateGeneration(object));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object, Instant now) {
    return withGeneration(
        super.prepareForCreate(object, now), Math.max(1, templateGeneration(object)));
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Instant now) {
    JsonObject prepared = super.prepareForUpdate(object, old, now);
    boolean same =
        prepared.object("spec").object("template").equals(old.object("spec").object("template"));
    return withGeneration(prepared, templateGeneration(old) + (same ? 0 : 1));
  }

  /** The annotation shows a field that no client changes, and goes with the specification. */
  @Override
  public JsonObject prepareThroughSubresource(JsonObject object, JsonObject old, Instant now) {
    return withGeneration(object, templateGeneration(old));
  }

  private static long templateGeneration(JsonObject object) {
    String text = Metadata.of(object).annotations().text(TEMPLATE_GENERATION, "0");
    return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  private static JsonObject withGeneration(JsonObject object, long generation) {
    return Metadata.update(
        object,
        metadata ->
            FieldRules.within(
                metadata,
                "annotations",
                annotations -> annotations.with(TEMPLATE_GENERATION, Long.toString(generation))));
  }

  @Override
  void validate(JsonObject spec, PodValidationOptions allowed, FieldErrorList problems) {
    FieldPath at = SPEC.field("selector");
    JsonObject selector = spec.object("selector");
    List<FieldError> wrong = LabelSelectorForm.validate(selector, at.toString());
    problems.addAll(wrong);
    if (wrong.isEmpty()) {
      selected(spec, problems);
    }
    if (spec.has("selector") && isEmpty(selector)) {
      problems.invalid(at, selector, "empty selector is invalid for daemonset");
    }
    JsonObject template = spec.object("template");
    PodTemplateValidation.validate(template, TEMPLATE, allowed, problems);
    PodTemplateValidation.alwaysRestarts(
        template.object("spec"), "DaemonSet", TEMPLATE.field("spec"), problems);
    problems.notNegative(spec, "minReadySeconds", SPEC);
    strategy(spec.object("updateStrategy"), SPEC.field("updateStrategy"), problems);
    problems.notNegative(spec, "revisionHistoryLimit", SPEC);
  }

  private static void strategy(JsonObject strategy, FieldPath at, FieldErrorList problems) {
    switch (strategy.text("type", "")) {
      case "OnDelete" -> {}
      case "RollingUpdate" ->
          steps(strategy.object("rollingUpdate"), at.field("rollingUpdate"), problems);
      default ->
          problems.addAll(
              List.of(
                  FieldError.notSupported(
                      at.toString(),
                      InternalForm.of("DaemonSetUpdateStrategy", strategy),
                      List.of("RollingUpdate", "OnDelete"))));
    }
  }

  private static void steps(JsonObject rolling, FieldPath at, FieldErrorList problems) {
    RollingSteps.notNegative(rolling, "maxUnavailable", at, problems);
    RollingSteps.notNegative(rolling, "maxSurge", at, problems);
    RollingSteps.atMostAll(rolling, "maxUnavailable", at, problems);
    RollingSteps.atMostAll(rolling, "maxSurge", at, problems);
    boolean none = RollingSteps.isZero(rolling, "maxUnavailable");
    boolean noSurge = RollingSteps.isZero(rolling, "maxSurge");
    if (!none && !noSurge) {
      problems.invalid(
          at.field("maxSurge"),
          RollingSteps.shown(rolling, "maxSurge"),
          "may not be set when maxUnavailable is non-zero");
    } else if (none && noSurge) {
      problems.required(at.field("maxUnavailable"), "cannot be 0 when maxSurge is 0");
    }
  }

  @Override
  void validateStatus(JsonObject status, JsonObject old, FieldErrorList problems) {
    counts(
        status,
        List.of(
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady",
            "observedGeneration",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberUnavailable",
            "collisionCount"),
        problems);
    collisions(status, old, problems);
  }
}
