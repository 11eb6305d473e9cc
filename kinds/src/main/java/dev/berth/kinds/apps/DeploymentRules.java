package dev.berth.kinds.apps;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;

/** Deployments. */
final class DeploymentRules extends WorkloadRules {
  DeploymentRules(TolerationRules tolerations) {
    super(tolerations);
  }

  @Override
  JsonObject ownDefaults(JsonObject spec) {
    JsonObject filled = FieldRules.orDefault(spec, "replicas", 1L);
    filled = FieldRules.orDefault(filled, "revisionHistoryLimit", 10L);
    filled = FieldRules.orDefault(filled, "progressDeadlineSeconds", 600L);
    return rollingByDefault(
        filled,
        "strategy",
        rolling ->
            FieldRules.orDefault(
                FieldRules.orDefault(rolling, "maxUnavailable", "25%"), "maxSurge", "25%"));
  }

  @Override
  void validate(JsonObject spec, PodValidationOptions allowed, FieldErrorList problems) {
    problems.notNegative(spec, "replicas", SPEC);
    selectorAndTemplate(spec, "deployment", allowed, problems);
    strategy(spec.object("strategy"), SPEC.field("strategy"), problems);
    problems.notNegative(spec, "minReadySeconds", SPEC);
    problems.notNegative(spec, "revisionHistoryLimit", SPEC);
    problems.notNegative(spec, "progressDeadlineSeconds", SPEC);
    spec.integer("progressDeadlineSeconds")
        .ifPresent(seconds -> {
          if (seconds <= spec.integer("minReadySeconds").orElse(0)) {
            problems.invalid(
                SPEC.field("progressDeadlineSeconds"),
                seconds,
                "must be greater than minReadySeconds");
          }
        });
  }

  private static void strategy(JsonObject strategy, FieldPath at, FieldErrorList problems) {
    FieldPath place = at.field("rollingUpdate");
    JsonObject rolling = strategy.object("rollingUpdate");
    switch (strategy.text("type", "")) {
      case "Recreate" -> {
        if (strategy.has("rollingUpdate")) {
          problems.forbidden(place, "may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" -> {
        RollingSteps.notNegative(rolling, "maxUnavailable", place, problems);
        RollingSteps.notNegative(rolling, "maxSurge", place, problems);
        if (RollingSteps.isZero(rolling, "maxUnavailable")
            && RollingSteps.isZero(rolling, "maxSurge")) {
          problems.invalid(
              place.field("maxUnavailable"),
              RollingSteps.shown(rolling, "maxUnavailable"),
              "may not be 0 when `maxSurge` is 0");
        }
        RollingSteps.atMostAll(rolling, "maxUnavailable", place, problems);
      }
      default ->
          problems.addAll(
              List.of(
                  FieldError.notSupported(
                      at.toString(),
                      InternalForm.of("DeploymentStrategy", strategy),
                      List.of("Recreate", "RollingUpdate"))));
    }
  }

  /** The labels are not for who writes the status. */
  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    JsonObject changed = super.throughSubresource(subresource, object, old);
    return subresource.equals(Subresource.STATUS)
        ? FieldRules.within(
            changed,
            "metadata",
            metadata -> FieldRules.keep("labels", metadata, old.object("metadata")))
        : changed;
  }

  @Override
  void validateStatus(JsonObject status, JsonObject old, FieldErrorList problems) {
    counts(
        status,
        List.of(
            "observedGeneration",
            "replicas",
            "updatedReplicas",
            "readyReplicas",
            "availableReplicas",
            "unavailableReplicas",
            "terminatingReplicas",
            "collisionCount"),
        problems);
    atMost(
        status,
        List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
        "replicas",
        "status.replicas",
        problems);
    atMost(status, List.of("availableReplicas"), "readyReplicas", "readyReplicas", problems);
    collisions(status, old, problems);
  }
}
