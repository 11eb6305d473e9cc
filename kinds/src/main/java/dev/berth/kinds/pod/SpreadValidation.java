package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with how a pod's like are spread. */
final class SpreadValidation {
  private static final List<String> WHEN_UNSATISFIABLE = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> INCLUSION = List.of("Honor", "Ignore");
  private static final String POSITIVE = "must be greater than zero";
  private static final String WITHOUT_SELECTOR =
      "must not be specified when labelSelector is not set";
  private static final String IN_BOTH = "exists in both matchLabelKeys and labelSelector";

  private SpreadValidation() {}

  static void validate(
      List<JsonObject> constraints,
      FieldPath path,
      PodValidationOptions options,
      FieldErrorList problems) {
    for (int i = 0; i < constraints.size(); i++) {
      JsonObject constraint = constraints.get(i);
      FieldPath at = path.index(i);
      long skew = constraint.integer("maxSkew").orElse(0);
      if (skew <= 0) {
        problems.invalid(at.field("maxSkew"), skew, POSITIVE);
      }
      if (constraint.text("topologyKey", "").isEmpty()) {
        problems.required(at.field("topologyKey"), "can not be empty");
      }
      String otherwise = constraint.text("whenUnsatisfiable", "");
      problems.oneOf(at.field("whenUnsatisfiable"), otherwise, WHEN_UNSATISFIABLE);
      String pair = pair(constraint);
      if (constraints.subList(i + 1, constraints.size()).stream()
          .anyMatch(other -> pair(other).equals(pair))) {
        problems.duplicate(at.field("{topologyKey, whenUnsatisfiable}"), pair);
      }
      domains(constraint, otherwise, at.field("minDomains"), problems);
      for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
        String value = constraint.text(policy);
        if (value != null) {
          problems.oneOf(at.field(policy), value, INCLUSION);
        }
      }
      if (options.olderSpreadKeys()) {
        olderLabelKeys(constraint, at.field("matchLabelKeys"), problems);
      } else {
        labelKeys(constraint, at, problems);
      }
      if (!options.invalidSpreadSelectors()) {
        problems.addAll(
            LabelSelectorForm.validate(
                constraint.object("labelSelector"), at.field("labelSelector").toString()));
      }
    }
  }

  private static String pair(JsonObject constraint) {
    return "{%s, %s}"
        .formatted(constraint.text("topologyKey", ""), constraint.text("whenUnsatisfiable", ""));
  }

  private static void domains(
      JsonObject constraint, String otherwise, FieldPath at, FieldErrorList problems) {
    if (!constraint.has("minDomains")) {
      return;
    }
    long least = constraint.integer("minDomains").orElse(0);
    if (least <= 0) {
      problems.invalid(at, least, POSITIVE);
    }
    if (!otherwise.equals("DoNotSchedule")) {
      problems.invalid(
          at,
          least,
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + otherwise);
    }
  }

  /** Keys whose values are the pod's own; the server has added them to the selector by now. */
  static void labelKeys(JsonObject term, FieldPath at, FieldErrorList problems) {
    boolean hasSelector = term.has("labelSelector");
    JsonObject selector = term.object("labelSelector");
    List<String> same = term.array("matchLabelKeys").texts();
    List<String> different = term.array("mismatchLabelKeys").texts();
    names(same, hasSelector, at.field("matchLabelKeys"), problems);
    names(different, hasSelector, at.field("mismatchLabelKeys"), problems);
    Set<String> selected = new HashSet<>(selector.object("matchLabels").names());
    for (JsonObject expression : selector.array("matchExpressions").objects()) {
      String key = expression.text("key", "");
      if (same.contains(key) && selected.contains(key)) {
        problems.invalid(at.index(same.lastIndexOf(key)), key, IN_BOTH);
      }
      selected.add(key);
    }
    for (int i = 0; i < same.size(); i++) {
      if (different.contains(same.get(i))) {
        problems.invalid(
            at.field("matchLabelKeys").index(i),
            same.get(i),
            "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }

  private static void names(
      List<String> keys, boolean hasSelector, FieldPath at, FieldErrorList problems) {
    if (!keys.isEmpty() && !hasSelector) {
      problems.forbidden(at, WITHOUT_SELECTOR);
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      problems.invalid(at.index(i), keys.get(i), NameRules.qualifiedName(keys.get(i)));
    }
  }

  /** As before the server added the keys to the selector. */
  private static void olderLabelKeys(JsonObject constraint, FieldPath at, FieldErrorList problems) {
    List<String> keys = constraint.array("matchLabelKeys").texts();
    JsonObject selector = constraint.object("labelSelector");
    Set<String> selected = new HashSet<>(selector.object("matchLabels").names());
    selector.array("matchExpressions").objects().forEach(e -> selected.add(e.text("key", "")));
    if (!keys.isEmpty() && !constraint.has("labelSelector")) {
      problems.forbidden(at, WITHOUT_SELECTOR);
    }
    for (int i = 0; i < keys.size(); i++) {
      problems.invalid(at.index(i), keys.get(i), NameRules.qualifiedName(keys.get(i)));
      if (selected.contains(keys.get(i))) {
        problems.invalid(at.index(i), keys.get(i), IN_BOTH);
      }
    }
  }

  static boolean violatesLabelKeys(JsonObject constraint) {
    FieldErrorList found = new FieldErrorList();
    labelKeys(constraint, FieldPath.of("constraint"), found);
    return found.size() > 0;
  }
}
