package dev.berth.access.review;

import dev.berth.access.Action.Selectors;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelOperator;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The selectors of a review: as text, or as a list of requirements. Requirements all hold, so one
 * that is not understood is left out: what is decided then is decided for more objects, not for
 * fewer. The answer says so.
 *
 * @param problems what was left out, for the answer's {@code evaluationError}
 */
record SelectorAttributes(Selectors selectors, List<String> problems) {
  private static final String FIELDS = "fieldSelector";
  private static final String LABELS = "labelSelector";

  static SelectorAttributes read(JsonObject attributes) {
    if (!attributes.has(FIELDS) && !attributes.has(LABELS)) {
      return new SelectorAttributes(Selectors.NONE, List.of());
    }
    List<String> problems = new ArrayList<>();
    FieldSelector fields = fields(attributes.object(FIELDS), problems);
    LabelSelector labels = labels(attributes.object(LABELS), problems);
    return new SelectorAttributes(new Selectors(fields, labels), problems);
  }

  private static FieldSelector fields(JsonObject selector, List<String> problems) {
    String raw = selector.text("rawSelector", "");
    if (!raw.isEmpty()) {
      try {
        return FieldSelector.parse(raw);
      } catch (SelectorException _) {
        problems.add(ignored(FIELDS, ""));
        return FieldSelector.EVERYTHING;
      }
    }
    List<FieldSelector.Term> terms = new ArrayList<>();
    List<JsonObject> requirements = selector.array("requirements").objects();
    for (JsonObject requirement : requirements) {
      List<String> values = requirement.array("values").texts();
      String operator = requirement.text("operator", "");
      if (values.size() == 1 && (operator.equals("In") || operator.equals("NotIn"))) {
        terms.add(
            new FieldSelector.Term(
                requirement.text("key", ""), operator.equals("NotIn"), values.getFirst()));
      }
    }
    noteIgnored(FIELDS, requirements.size(), terms.size(), problems);
    return new FieldSelector(terms);
  }

  private static LabelSelector labels(JsonObject selector, List<String> problems) {
    String raw = selector.text("rawSelector", "");
    if (!raw.isEmpty()) {
      try {
        return LabelSelector.parse(raw);
      } catch (SelectorException _) {
        problems.add(ignored(LABELS, ""));
        return LabelSelector.EVERYTHING;
      }
    }
    List<LabelRequirement> known = new ArrayList<>();
    List<JsonObject> requirements = selector.array("requirements").objects();
    for (JsonObject requirement : requirements) {
      String key = requirement.text("key", "");
      List<String> values = requirement.array("values").texts();
      switch (requirement.text("operator", "")) {
        case "In" -> known.add(new LabelRequirement(key, LabelOperator.IN, values));
        case "NotIn" -> known.add(new LabelRequirement(key, LabelOperator.NOT_IN, values));
        case "Exists" -> known.add(new LabelRequirement(key, LabelOperator.EXISTS, values));
        case "DoesNotExist" ->
            known.add(new LabelRequirement(key, LabelOperator.DOES_NOT_EXIST, values));
        default -> {}
      }
    }
    noteIgnored(LABELS, requirements.size(), known.size(), problems);
    return LabelSelector.of(known);
  }

  private static void noteIgnored(String which, int all, int known, List<String> problems) {
    if (known < all) {
      problems.add(ignored(which, known > 0 ? "partially " : ""));
    }
  }

  private static String ignored(String which, String how) {
    return "spec.resourceAttributes.%s %signored due to parse error".formatted(which, how);
  }

  /** What is wrong with the form of the selectors. */
  static List<FieldError> validate(JsonObject attributes) {
    List<FieldError> errors = new ArrayList<>();
    for (String which : List.of(FIELDS, LABELS)) {
      if (attributes.has(which)) {
        validate(which, attributes.object(which), errors);
      }
    }
    return errors;
  }

  private static void validate(String which, JsonObject selector, List<FieldError> errors) {
    String place = "spec.resourceAttributes." + which;
    String raw = selector.text("rawSelector", "");
    List<JsonObject> requirements = selector.array("requirements").objects();
    if (!raw.isEmpty() && !requirements.isEmpty()) {
      errors.add(
          FieldError.invalid(
              place + ".rawSelector", raw, "may not specified at the same time as requirements"));
    }
    if (raw.isEmpty() && requirements.isEmpty()) {
      errors.add(
          FieldError.required(
              place + ".requirements",
              "when %s is specified, requirements or rawSelector is required".formatted(place)));
    }
    for (int i = 0; i < requirements.size(); i++) {
      String at = place + ".requirements[" + i + "]";
      JsonObject requirement = requirements.get(i);
      String key = requirement.text("key", "");
      if (which.equals(FIELDS) && key.isEmpty()) {
        errors.add(FieldError.required(at + ".key", "must be specified"));
      }
      validateValues(requirement, at, errors);
      if (which.equals(LABELS)) {
        NameRules.qualifiedName(key)
            .forEach(problem -> errors.add(FieldError.invalid(at + ".key", key, problem)));
        validateLabelValues(requirement.array("values").texts(), at, errors);
      }
    }
  }

  private static void validateValues(JsonObject requirement, String at, List<FieldError> errors) {
    boolean none = requirement.array("values").isEmpty();
    switch (requirement.text("operator", "")) {
      case "In", "NotIn" -> {
        if (none) {
          errors.add(
              FieldError.required(
                  at + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!none) {
          errors.add(
              FieldError.forbidden(
                  at + ".values",
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
      // Clients of later versions may know more operators.
      default -> {}
    }
  }

  private static void validateLabelValues(List<String> values, String at, List<FieldError> errors) {
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      String place = at + ".values[" + i + "]";
      NameRules.labelValue(value)
          .forEach(problem -> errors.add(FieldError.invalid(place, value, problem)));
    }
  }
}
