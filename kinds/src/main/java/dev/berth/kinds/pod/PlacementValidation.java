package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with how a pod's like are spread, and with what it waits for. */
final class PlacementValidation {
  private static final List<String> WHEN_UNSATISFIABLE = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> INCLUSION = List.of("Honor", "Ignore");
  private static final String POSITIVE = "must be greater than zero";

  private PlacementValidation() {}

  static void validate(JsonObject spec, FieldPath path, FieldErrorList problems) {
    spread(
        spec.array("topologySpreadConstraints").objects(),
        path.field("topologySpreadConstraints"),
        problems);
    gates(spec, path, problems);
    List<JsonObject> ready = spec.array("readinessGates").objects();
    for (int i = 0; i < ready.size(); i++) {
      String type = ready.get(i).text("conditionType", "");
      problems.invalid(
          path.field("readinessGates").index(i).field("conditionType"),
          type,
          NameRules.qualifiedName(type));
    }
  }

  private static void gates(JsonObject spec, FieldPath path, FieldErrorList problems) {
    List<JsonObject> gates = spec.array("schedulingGates").objects();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < gates.size(); i++) {
      FieldPath at = path.field("schedulingGates").index(i);
      String name = gates.get(i).text("name", "");
      problems.invalid(at.field("name"), name, NameRules.qualifiedName(name));
      if (!names.add(name)) {
        problems.duplicate(at, name);
      }
    }
    if (!gates.isEmpty() && !spec.text("nodeName", "").isEmpty()) {
      problems.forbidden(
          path.field("nodeName"), "cannot be set until all schedulingGates have been cleared");
    }
  }

  private static void spread(
      List<JsonObject> constraints, FieldPath path, FieldErrorList problems) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < constraints.size(); i++) {
      JsonObject constraint = constraints.get(i);
      FieldPath at = path.index(i);
      long skew = constraint.integer("maxSkew").orElse(0);
      if (skew <= 0) {
        problems.invalid(at.field("maxSkew"), skew, POSITIVE);
      }
      String key = constraint.text("topologyKey", "");
      if (key.isEmpty()) {
        problems.required(at.field("topologyKey"), "can not be empty");
      } else {
        problems.invalid(at.field("topologyKey"), key, NameRules.qualifiedName(key));
      }
      String otherwise = constraint.text("whenUnsatisfiable", "");
      problems.oneOf(at.field("whenUnsatisfiable"), otherwise, WHEN_UNSATISFIABLE);
      domains(constraint, otherwise, at, problems);
      String pair = "{%s, %s}".formatted(key, otherwise);
      if (!seen.add(pair)) {
        problems.duplicate(at.field("{topologyKey, whenUnsatisfiable}"), pair);
      }
      for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
        if (constraint.has(policy)) {
          problems.oneOf(at.field(policy), constraint.text(policy, ""), INCLUSION);
        }
      }
      problems.addAll(
          LabelSelectorForm.validate(
              constraint.object("labelSelector"), at.field("labelSelector").toString()));
    }
  }

  private static void domains(
      JsonObject constraint, String otherwise, FieldPath at, FieldErrorList problems) {
    if (!constraint.has("minDomains")) {
      return;
    }
    long least = constraint.integer("minDomains").orElse(0);
    if (least <= 0) {
      problems.invalid(at.field("minDomains"), least, POSITIVE);
    }
    if (!otherwise.equals("DoNotSchedule")) {
      problems.invalid(
          at.field("minDomains"),
          least,
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + otherwise);
    }
  }
}
