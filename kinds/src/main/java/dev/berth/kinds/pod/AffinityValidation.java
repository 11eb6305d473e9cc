package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is wrong with where a pod wants to be, and beside whom. */
public final class AffinityValidation {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private final FieldErrorList problems;

  private AffinityValidation(FieldErrorList problems) {
    this.problems = problems;
  }

  static void validate(JsonObject spec, FieldPath path, FieldErrorList problems) {
    AffinityValidation validation = new AffinityValidation(problems);
    JsonObject affinity = spec.object("affinity");
    FieldPath at = path.field("affinity");
    validation.nodes(affinity.object("nodeAffinity"), at.field("nodeAffinity"));
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      validation.pods(affinity.object(kind), at.field(kind));
    }
  }

  /** What is wrong with a selector of nodes, of a pod or of anything else that is tied to nodes. */
  public static void nodeSelector(JsonObject selector, FieldPath at, FieldErrorList problems) {
    AffinityValidation validation = new AffinityValidation(problems);
    List<JsonObject> terms = selector.array("nodeSelectorTerms").objects();
    FieldPath place = at.field("nodeSelectorTerms");
    if (terms.isEmpty()) {
      problems.required(place, "must have at least one node selector term");
    }
    for (int i = 0; i < terms.size(); i++) {
      validation.term(terms.get(i), place.index(i));
    }
  }

  private void nodes(JsonObject affinity, FieldPath at) {
    if (affinity.has(REQUIRED)) {
      nodeSelector(affinity.object(REQUIRED), at.field(REQUIRED), problems);
    }
    List<JsonObject> preferred = affinity.array(PREFERRED).objects();
    for (int i = 0; i < preferred.size(); i++) {
      FieldPath place = at.field(PREFERRED).index(i);
      weight(preferred.get(i), place);
      term(preferred.get(i).object("preference"), place.field("preference"));
    }
  }

  private void weight(JsonObject weighted, FieldPath at) {
    long weight = weighted.integer("weight").orElse(0);
    if (weight < 1 || weight > 100) {
      problems.invalid(at.field("weight"), weight, "must be in the range 1-100");
    }
  }

  private void term(JsonObject term, FieldPath at) {
    List<JsonObject> labels = term.array("matchExpressions").objects();
    for (int i = 0; i < labels.size(); i++) {
      requirement(labels.get(i), at.field("matchExpressions").index(i));
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
      podTerm(preferred.get(i).object("podAffinityTerm"), place.field("podAffinityTerm"));
      weight(preferred.get(i), place);
    }
  }

  private void podTerm(JsonObject term, FieldPath at) {
    for (String selector : List.of("labelSelector", "namespaceSelector")) {
      problems.addAll(
          LabelSelectorForm.validate(term.object(selector), at.field(selector).toString()));
    }
    for (String namespace : term.array("namespaces").texts()) {
      problems.invalid(at.field("namespaces"), namespace, NameRules.dns1123Label(namespace));
    }
    String key = term.text("topologyKey", "");
    if (key.isEmpty()) {
      problems.required(at.field("topologyKey"), "can not be empty");
    } else {
      problems.invalid(at.field("topologyKey"), key, NameRules.qualifiedName(key));
    }
  }
}
