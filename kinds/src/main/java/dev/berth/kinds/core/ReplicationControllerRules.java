package dev.berth.kinds.core;

import dev.berth.kinds.apps.ReplicaCounts;
import dev.berth.kinds.pod.DisabledFields;
import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.pod.PodTemplateValidation;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;

/**
 * What a ReplicationController must say. Its selector is a map of labels, which may change, and is
 * that of its template if it is left out: one that selected nothing would create pods for ever.
 */
final class ReplicationControllerRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TEMPLATE = SPEC.field("template");

  private final PodValidationOptions options;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  ReplicationControllerRules(TolerationRules tolerations) {
    this.options = PodValidationOptions.of(false, tolerations);
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
  public JsonObject prepareForCreate(JsonObject controller, Instant now) {
    return prepareForUpdate(controller, JsonObject.EMPTY, now);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject controller, JsonObject old, Instant now) {
    JsonObject before = old.object("spec").object("template");
    return FieldRules.within(
        controller,
        "spec",
        spec ->
            FieldRules.present(spec, "template", t -> DisabledFields.dropFromTemplate(t, before)));
  }

  @Override
  public List<FieldError> validate(JsonObject controller) {
    return validate(controller, options);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject controller, JsonObject old) {
    return validate(controller, options.replacingTemplate(old.object("spec").object("template")));
  }

  private static List<FieldError> validate(JsonObject controller, PodValidationOptions allowed) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = controller.object("spec");
    problems.notNegative(spec, "minReadySeconds", SPEC);
    JsonObject selector = spec.object("selector");
    if (selector.isEmpty()) {
      problems.required(SPEC.field("selector"), "");
    }
    problems.notNegative(spec, "replicas", SPEC);
    if (!spec.has("template")) {
      problems.required(TEMPLATE, "");
      return problems.all();
    }
    JsonObject labels = templateLabels(spec);
    if (!selector.isEmpty() && !LabelSelector.ofLabels(selector).matches(labels)) {
      problems.invalid(
          TEMPLATE.field("metadata").field("labels"),
          labels.isEmpty() ? JsonNull.NULL : labels,
          "`selector` does not match template `labels`");
    }
    JsonObject template = spec.object("template");
    PodTemplateValidation.validate(template, TEMPLATE, allowed, problems);
    PodTemplateValidation.alwaysRestarts(
        template.object("spec"), "ReplicationController", TEMPLATE.field("spec"), problems);
    return problems.all();
  }

  @Override
  public List<FieldError> validateSubresource(
      String subresource, JsonObject controller, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    if (subresource.equals(Subresource.STATUS)) {
      ReplicaCounts.validate(controller.object("status"), problems);
    }
    return problems.all();
  }
}
