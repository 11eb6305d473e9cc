package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;
import java.util.stream.Stream;

/** What is wrong with where a pod wants to be, and beside whom. */
public final class AffinityValidation {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final FieldErrorList problems;
  private final PodValidationOptions options;

  private AffinityValidation(PodValidationOptions options, FieldErrorList problems) {
    this.options = options;
    this.problems = problems;
  }

  static void validate(
      JsonObject spec, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    AffinityValidation validation = new AffinityValidation(options, problems);
    JsonObject affinity = spec.object("affinity");
    FieldPath at = path.field("affinity");
    validation.nodes(affinity.object("nodeAffinity"), at.field("nodeAffinity"));
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      validation.pods(affinity.object(kind), at.field(kind));
    }
  }

  /** All terms that select pods. */
  static Stream<JsonObject> podTerms(JsonObject spec) {
    JsonObject affinity = spec.object("affinity");
    return Stream.of("podAffinity", "podAntiAffinity")
        .map(affinity::object)
        .flatMap(kind ->
            Stream.concat(
                kind.array(REQUIRED).objects().stream(),
                kind.array(PREFERRED).objects().stream()
                    .map(preferred -> preferred.object("podAffinityTerm"))));
  }

  /** Whether nodes are required to have labels of values that no label has. */
  static boolean hasInvalidRequiredValues(JsonObject spec) {
    return requiredTerms(spec)
        .flatMap(term -> term.array("matchExpressions").objects().stream())
        .flatMap(expression -> expression.array("values").texts().stream())
        .anyMatch(value -> !NameRules.labelValue(value).isEmpty());
  }

  private static Stream<JsonObject> requiredTerms(JsonObject spec) {
    JsonObject affinity = spec.object("affinity").object("nodeAffinity");
    return affinity.object(REQUIRED).array("nodeSelectorTerms").objects().stream();
  }

  /** What is wrong with a selector of nodes, of a pod or of anything else that is tied to nodes. */
  public static void nodeSelector(JsonObject selector, FieldPath at, FieldErrorList problems) {
    PodValidationOptions strict = PodValidationOptions.of(true, TolerationRules.STANDARD);
    new AffinityValidation(strict, problems).selector(selector, at);
  }

  private void selector(JsonObject selector, FieldPath at) {
    List<JsonObject> terms = selector.array("nodeSelectorTerms").objects();
    FieldPath place = at.field("nodeSelectorTerms");
    if (terms.isEmpty()) {
      problems.required(place, "must have at least one node selector term");
    }
    for (int i = 0; i < terms.size(); i++) {
      term(terms.get(i), place.index(i), options.invalidNodeAffinity());
    }
  }

  private void nodes(JsonObject affinity, FieldPath at) {
    if (affinity.has(REQUIRED)) {
      selector(affinity.object(REQUIRED), at.field(REQUIRED));
    }
    List<JsonObject> preferred = affinity.array(PREFERRED).objects();
    for (int i = 0; i < preferred.size(); i++) {
      FieldPath place = at.field(PREFERRED).index(i);
      weight(preferred.get(i), place);
      // What is only preferred may name values that no label can have.
      term(preferred.get(i).object("preference"), place.field("preference"), true);
    }
  }

  private void weight(JsonObject weighted, FieldPath at) {
    long weight = weighted.integer("weight").orElse(0);
    if (weight < 1 || weight > 100) {
      problems.invalid(at.field("weight"), weight, "must be in the range 1-100");
    }
  }

  private void term(JsonObject term, FieldPath at, boolean anyValues) {
    List<JsonObject> labels = term.array("matchExpressions").objects();
    for (int i = 0; i < labels.size(); i++) {
      FieldPath place = at.field("matchExpressions").index(i);
      requirement(labels.get(i), place);
      List<String> values = labels.get(i).array("values").texts();
      for (int v = 0; v < values.size() && !anyValues; v++) {
        problems.invalid(
            place.field("values").index(v), values.get(v), NameRules.labelValue(values.get(v)));
      }
    }
    List<JsonObject> fields = term.array("matchFields").objects();
    for (int i = 0; i < fields.size(); i++) {
      field(fields.get(i), at.field("matchFields").index(i));
    }
  }

  private void requirement(JsonObject requirement, FieldPath at) {
    String operator = requirement.text("operator", "");
    int values = requirement.array("values").size();
    switch (operator) {
      case "In", "NotIn" -> {
        if (values == 0) {
          problems.required(
              at.field("values"), "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (values > 0) {
          problems.forbidden(
              at.field("values"),
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values != 1) {
          problems.required(
              at.field("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> problems.invalid(at.field("operator"), operator, "not a valid selector operator");
    }
    String key = requirement.text("key", "");
    problems.invalid(at.field("key"), key, NameRules.qualifiedName(key));
  }

  private void field(JsonObject requirement, FieldPath at) {
    String operator = requirement.text("operator", "");
    if (!operator.equals("In") && !operator.equals("NotIn")) {
      problems.invalid(at.field("operator"), operator, "not a valid selector operator");
    } else if (requirement.array("values").size() != 1) {
      problems.required(
          at.field("values"),
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    String key = requirement.text("key", "");
    if (!key.equals("metadata.name")) {
      problems.invalid(at.field("key"), key, "not a valid field selector key");
      return;
    }
    List<String> values = requirement.array("values").texts();
    for (int i = 0; i < values.size(); i++) {
      problems.invalid(
          at.field("values").index(i), values.get(i), NameRules.dns1123Subdomain(values.get(i)));
    }
  }

  private void pods(JsonObject affinity, FieldPath at) {
    List<JsonObject> required = affinity.array(REQUIRED).objects();
    for (int i = 0; i < required.size(); i++) {
      podTerm(required.get(i), at.field(REQUIRED).index(i));
    }
    List<JsonObject> preferred = affinity.array(PREFERRED).objects();
    for (int i = 0; i < preferred.size(); i++) {
      FieldPath place = at.field(PREFERRED).index(i);
      weight(preferred.get(i), place);
      podTerm(preferred.get(i).object("podAffinityTerm"), place.field("podAffinityTerm"));
    }
  }

  private void podTerm(JsonObject term, FieldPath at) {
    for (String selector : List.of("labelSelector", "namespaceSelector")) {
      List<FieldError> wrong =
          LabelSelectorForm.validate(term.object(selector), at.field(selector).toString());
      problems.addAll(options.invalidSelectors() ? withoutValues(wrong) : wrong);
    }
    for (String namespace : term.array("namespaces").texts()) {
      problems.invalid(at.field("namespace"), namespace, NameRules.dns1123Label(namespace));
    }
    SpreadValidation.labelKeys(term, at, problems);
    String key = term.text("topologyKey", "");
    if (key.isEmpty()) {
      problems.required(at.field("topologyKey"), "can not be empty");
    }
    problems.invalid(at.field("topologyKey"), key, NameRules.qualifiedName(key));
  }

  private static List<FieldError> withoutValues(List<FieldError> errors) {
    return errors.stream().filter(error -> !error.field().contains(".values[")).toList();
  }
}
