package dev.berth.kinds.apps;

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
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * What makes pods and keeps them: a selector that never changes and selects the template's pods, a
 * template whose pods always run again, and rules of each kind's own.
 */
abstract class WorkloadRules implements ResourceRules {
  static final FieldPath SPEC = FieldPath.of("spec");
  static final FieldPath TEMPLATE = SPEC.field("template");
  static final FieldPath STATUS = FieldPath.of("status");

  private final PodValidationOptions options;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  WorkloadRules(TolerationRules tolerations) {
    this.options = PodValidationOptions.of(false, tolerations);
  }

  /** What is looked at where one replaces another. */
  PodValidationOptions options(JsonObject old) {
    return options.replacingTemplate(old.object("spec").object("template"));
  }

  /** The defaults of the specification, the template aside. */
  abstract JsonObject ownDefaults(JsonObject spec);

  /** What is wrong with a specification. */
  abstract void validate(JsonObject spec, PodValidationOptions allowed, FieldErrorList problems);

  /** What is wrong with a status that replaces another. */
  abstract void validateStatus(JsonObject status, JsonObject old, FieldErrorList problems);

  /**
   * The specification with a strategy that replaces pods step by step unless it says otherwise.
   *
   * @param field where the strategy is
   * @param rolling fills in how large the steps are
   */
  static JsonObject rollingByDefault(
      JsonObject spec, String field, UnaryOperator<JsonObject> rolling) {
    return FieldRules.within(
        spec,
        field,
        strategy -> {
          JsonObject typed = FieldRules.ifEmpty(strategy, "type", "RollingUpdate");
          return typed.text("type", "").equals("RollingUpdate")
              ? FieldRules.within(typed, "rollingUpdate", rolling)
              : typed;
        });
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return FieldRules.within(
        object, "spec", spec -> PodSpecDefaults.withTemplate(ownDefaults(spec)));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object, Instant now) {
    return withoutDisabledFields(object, JsonObject.EMPTY);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Instant now) {
    return withoutDisabledFields(object, old.object("spec").object("template"));
  }

  private static JsonObject withoutDisabledFields(JsonObject object, JsonObject oldTemplate) {
    return FieldRules.within(
        object,
        "spec",
        spec ->
            FieldRules.present(
                spec,
                "template",
                template -> DisabledFields.dropFromTemplate(template, oldTemplate)));
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    FieldErrorList problems = new FieldErrorList();
    validate(object.object("spec"), options, problems);
    return problems.all();
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    validate(object.object("spec"), options(old), problems);
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    immutable("selector", object.object("spec"), old.object("spec"), problems);
    return problems.all();
  }

  @Override
  public List<FieldError> validateSubresource(
      String subresource, JsonObject object, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    if (subresource.equals(Subresource.STATUS)) {
      validateStatus(object.object("status"), old.object("status"), problems);
    }
    return problems.all();
  }

  private static void immutable(
      String field, JsonObject spec, JsonObject old, FieldErrorList problems) {
    Object now = spec.get(field);
    if (!Objects.equals(now, old.get(field))) {
      problems.invalid(SPEC.field(field), now == null ? JsonNull.NULL : now, "field is immutable");
    }
  }

  /**
   * A selector that is there and selects something; and the template that it selects, unless it
   * cannot be read.
   *
   * @param kind what upstream says that an empty one is invalid for
   */
  static void selectorAndTemplate(
      JsonObject spec, String kind, PodValidationOptions allowed, FieldErrorList problems) {
    FieldPath at = SPEC.field("selector");
    JsonObject selector = spec.object("selector");
    if (!spec.has("selector")) {
      problems.required(at, "");
    }
    List<FieldError> wrong = LabelSelectorForm.validate(selector, at.toString());
    problems.addAll(wrong);
    if (spec.has("selector") && isEmpty(selector)) {
      problems.invalid(at, selector, "empty selector is invalid for " + kind);
    }
    if (!wrong.isEmpty()) {
      problems.invalid(at, selector, "invalid label selector");
      return;
    }
    template(spec, allowed, problems);
    PodTemplateValidation.alwaysRestarts(
        spec.object("template").object("spec"), "ReplicaSet", TEMPLATE.field("spec"), problems);
  }

  private static void template(
      JsonObject spec, PodValidationOptions allowed, FieldErrorList problems) {
    selected(spec, problems);
    PodTemplateValidation.validate(spec.object("template"), TEMPLATE, allowed, problems);
  }

  static boolean isEmpty(JsonObject selector) {
    return selector.object("matchLabels").isEmpty() && selector.array("matchExpressions").isEmpty();
  }

  /** Whether the selector selects the template's pods; none at all selects nothing. */
  static void selected(JsonObject spec, FieldErrorList problems) {
    JsonObject selector = spec.object("selector");
    JsonObject labels = spec.object("template").object("metadata").object("labels");
    if (!spec.has("selector") || !LabelSelector.fromTree(selector).matches(labels)) {
      problems.invalid(
          TEMPLATE.field("metadata").field("labels"),
          labels.isEmpty() ? JsonNull.NULL : labels,
          "`selector` does not match template `labels`");
    }
  }

  /** Numbers of a status, none of which is negative. */
  static void counts(JsonObject status, List<String> fields, FieldErrorList problems) {
    fields.forEach(field -> problems.notNegative(status, field, STATUS));
  }

  /** Numbers of a status, none of which is more than another. */
  static void atMost(
      JsonObject status, List<String> fields, String most, String name, FieldErrorList problems) {
    for (String field : fields) {
      long count = status.integer(field).orElse(0);
      if (count > status.integer(most).orElse(0)) {
        problems.invalid(STATUS.field(field), count, "cannot be greater than " + name);
      }
    }
  }

  static void collisions(JsonObject status, JsonObject old, FieldErrorList problems) {
    long count = status.integer("collisionCount").orElse(0);
    if (status.has("collisionCount")
        && old.has("collisionCount")
        && count < old.integer("collisionCount").orElse(0)) {
      problems.invalid(STATUS.field("collisionCount"), count, "cannot be decremented");
    }
  }
}
