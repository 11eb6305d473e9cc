package dev.berth.kinds.core;

import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.pod.PodSpecValidation;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.List;

/**
 * What a ReplicationController must say. Its selector is a map of labels, which may change, and is
 * that of its template if it is left out: one that selected nothing would create pods for ever.
 */
final class ReplicationControllerRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TEMPLATE = SPEC.field("template");

  private final TolerationRules tolerations;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  ReplicationControllerRules(TolerationRules tolerations) {
    this.tolerations = tolerations;
  }

  @Override
  public JsonObject defaults(JsonObject controller) {
    JsonObject spec = FieldRules.orDefault(controller.object("spec"), "replicas", 1L);
    JsonObject labels = templateLabels(spec);
    JsonObject filled = controller;
    if (!labels.isEmpty()) {
      spec = spec.object("selector").isEmpty() ? spec.with("selector", labels) : spec;
      JsonObject metadata = controller.object("metadata");
      filled =
          metadata.object("labels").isEmpty()
              ? controller.with("metadata", metadata.with("labels", labels))
              : controller;
    }
    return filled.with("spec", spec.has("template") ? PodSpecDefaults.withTemplate(spec) : spec);
  }

  private static JsonObject templateLabels(JsonObject spec) {
    return spec.object("template").object("metadata").object("labels");
  }

  @Override
  public List<FieldError> validate(JsonObject controller) {
    return validate(controller, tolerations);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject controller, JsonObject old) {
    JsonObject before = old.object("spec").object("template").object("spec");
    return validate(controller, PodSpecValidation.replacing(before, tolerations));
  }

  private static List<FieldError> validate(JsonObject controller, TolerationRules allowed) {
    JsonObject spec = controller.object("spec");
    List<FieldError> errors = new ArrayList<>();
    errors.addAll(FieldRules.notNegative(SPEC.field("minReadySeconds"), controller));
    JsonObject selector = spec.object("selector");
    if (selector.isEmpty()) {
      errors.add(FieldError.required(SPEC.field("selector").toString(), ""));
    }
    errors.addAll(FieldRules.notNegative(SPEC.field("replicas"), controller));
    if (!spec.has("template")) {
      errors.add(FieldError.required(TEMPLATE.toString(), ""));
      return errors;
    }
    JsonObject labels = templateLabels(spec);
    if (!selector.isEmpty() && !LabelSelector.ofLabels(selector).matches(labels)) {
      errors.add(
          FieldError.invalid(
              TEMPLATE.field("metadata").field("labels").toString(),
              labels,
              "`selector` does not match template `labels`"));
    }
    errors.addAll(template(spec.object("template").object("spec"), allowed));
    return errors;
  }

  private static List<FieldError> template(JsonObject pod, TolerationRules allowed) {
    FieldPath path = TEMPLATE.field("spec");
    List<FieldError> errors = new ArrayList<>(PodSpecValidation.validate(pod, path, allowed));
    String restart = pod.text("restartPolicy", "");
    if (!restart.equals("Always")) {
      errors.add(
          FieldError.notSupported(
              path.field("restartPolicy").toString(), restart, List.of("Always")));
    }
    if (pod.has("activeDeadlineSeconds")) {
      errors.add(
          FieldError.forbidden(
              path.field("activeDeadlineSeconds").toString(),
              "activeDeadlineSeconds in ReplicationController is not Supported"));
    }
    return errors;
  }
}
