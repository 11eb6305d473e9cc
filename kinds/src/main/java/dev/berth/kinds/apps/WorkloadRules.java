package dev.berth.kinds.apps;

import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.pod.PodSpecValidation;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What makes pods and keeps them: a selector that never changes and selects the template's pods, a
 * template whose pods always run again, and defaults of each kind's own.
 */
class WorkloadRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath TEMPLATE = SPEC.field("template");

  private final String kind;
  private final UnaryOperator<JsonObject> ownDefaults;
  private final TolerationRules tolerations;

  /**
   * @param kind in lower case, for messages
   * @param ownDefaults of the specification, the template aside
   * @param tolerations what the tolerations of a new template may say
   */
  WorkloadRules(String kind, UnaryOperator<JsonObject> ownDefaults, TolerationRules tolerations) {
    this.kind = kind;
    this.ownDefaults = ownDefaults;
    this.tolerations = tolerations;
  }

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
          JsonObject typed = FieldRules.orDefault(strategy, "type", "RollingUpdate");
          return typed.text("type", "").equals("RollingUpdate")
              ? FieldRules.within(typed, "rollingUpdate", rolling)
              : typed;
        });
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return FieldRules.within(
        object, "spec", spec -> PodSpecDefaults.withTemplate(ownDefaults.apply(spec)));
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    return validate(object, tolerations);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    return validate(object, PodSpecValidation.replacing(pod(old.object("spec")), tolerations));
  }

  private static JsonObject pod(JsonObject spec) {
    return spec.object("template").object("spec");
  }

  /** The specification of the template's pods, with the volumes that its controller adds. */
  JsonObject withFurtherVolumes(JsonObject pod, JsonObject spec) {
    return pod;
  }

  private List<FieldError> validate(JsonObject object, TolerationRules allowed) {
    JsonObject spec = object.object("spec");
    List<FieldError> errors = new ArrayList<>(selector(spec));
    for (String field : List.of("replicas", "minReadySeconds", "revisionHistoryLimit")) {
      errors.addAll(FieldRules.notNegative(SPEC.field(field), object));
    }
    JsonObject pod = withFurtherVolumes(pod(spec), spec);
    errors.addAll(PodSpecValidation.validate(pod, TEMPLATE.field("spec"), allowed));
    String restart = pod.text("restartPolicy", "");
    if (!restart.equals("Always")) {
      errors.add(
          FieldError.notSupported(
              TEMPLATE.field("spec").field("restartPolicy").toString(),
              restart,
              List.of("Always")));
    }
    return errors;
  }

  private List<FieldError> selector(JsonObject spec) {
    if (!spec.has("selector")) {
      return List.of(FieldError.required("spec.selector", ""));
    }
    JsonObject selector = spec.object("selector");
    List<FieldError> errors =
        new ArrayList<>(LabelSelectorForm.validate(selector, "spec.selector"));
    if (selector.object("matchLabels").isEmpty() && selector.array("matchExpressions").isEmpty()) {
      errors.add(
          FieldError.invalid("spec.selector", selector, "empty selector is invalid for " + kind));
    } else if (errors.isEmpty()) {
      JsonObject labels = spec.object("template").object("metadata").object("labels");
      if (!LabelSelector.fromTree(selector).matches(labels)) {
        errors.add(
            FieldError.invalid(
                "spec.template.metadata.labels",
                labels,
                "`selector` does not match template `labels`"));
      }
    }
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    return FieldRules.immutable(SPEC.field("selector"), object, old);
  }
}
