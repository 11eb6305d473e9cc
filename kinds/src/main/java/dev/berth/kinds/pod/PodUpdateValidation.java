package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.core.Toleration;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What of a pod's specification may change: images; a deadline, which may be set and brought
 * forward; tolerations, which may be added, and existing ones given other seconds; scheduling
 * gates, which may be removed; and a negative grace period, which may become 1.
 */
final class PodUpdateValidation {
  private static final String OTHER_FIELDS =
      "pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)";

  private final List<FieldError> errors = new ArrayList<>();
  private final JsonObject spec;
  private final JsonObject old;

  private PodUpdateValidation(JsonObject spec, JsonObject old) {
    this.spec = spec;
    this.old = old;
  }

  static List<FieldError> validate(JsonObject spec, JsonObject old) {
    if (spec.equals(old)) {
      return List.of();
    }
    PodUpdateValidation validation = new PodUpdateValidation(spec, old);
    validation.containers("containers");
    validation.containers("initContainers");
    validation.deadline();
    validation.tolerations();
    validation.gates();
    if (validation.errors.isEmpty()) {
      validation.rest();
    }
    return validation.errors;
  }

  private void containers(String list) {
    if (spec.array(list).size() != old.array(list).size()) {
      String what = list.equals("containers") ? "containers" : "init containers";
      errors.add(FieldError.forbidden("spec." + list, "pod updates may not add or remove " + what));
    }
  }

  private void deadline() {
    OptionalLong before = old.integer("activeDeadlineSeconds");
    OptionalLong after = spec.integer("activeDeadlineSeconds");
    if (before.isEmpty()) {
      return;
    }
    if (after.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "spec.activeDeadlineSeconds",
              "",
              "must not update from a positive integer to nil value"));
    } else if (after.getAsLong() > before.getAsLong()) {
      errors.add(
          FieldError.invalid(
              "spec.activeDeadlineSeconds",
              after.getAsLong(),
              "must be less than or equal to previous value"));
    }
  }

  private void tolerations() {
    Set<String> now = new HashSet<>();
    spec.array("tolerations").objects().forEach(tree -> now.add(taintsOf(tree)));
    for (JsonObject tree : old.array("tolerations").objects()) {
      if (!now.contains(taintsOf(tree))) {
        errors.add(
            FieldError.forbidden(
                "spec.tolerations",
                "existing toleration can not be modified except its tolerationSeconds"));
      }
    }
  }

  /** What a toleration tolerates, not for how long: the same text for the same taints. */
  private static String taintsOf(JsonObject tree) {
    Toleration toleration = Toleration.read(tree);
    return toleration.key()
        + '='
        + toleration.value()
        + ':'
        + toleration.effect()
        + toleration.operator();
  }

  private void gates() {
    Set<String> before = new HashSet<>();
    old.array("schedulingGates").objects().forEach(gate -> before.add(gate.text("name", "")));
    List<JsonObject> now = spec.array("schedulingGates").objects();
    for (int i = 0; i < now.size(); i++) {
      if (!before.contains(now.get(i).text("name", ""))) {
        errors.add(
            FieldError.forbidden(
                "spec.schedulingGates[" + i + "]",
                "only deletion is allowed, but found new scheduling gate"));
      }
    }
  }

  /** Everything else must be as it was. */
  private void rest() {
    JsonObject expected = FieldRules.keep("activeDeadlineSeconds", old, spec);
    expected = FieldRules.keep("tolerations", expected, spec);
    expected = FieldRules.keep("schedulingGates", expected, spec);
    for (String list : List.of("containers", "initContainers")) {
      if (expected.has(list)) {
        expected = expected.with(list, imagesFrom(expected.array(list), spec.array(list)));
      }
    }
    boolean wasNegative = old.integer("terminationGracePeriodSeconds").orElse(0) < 0;
    if (wasNegative && spec.integer("terminationGracePeriodSeconds").orElse(0) == 1) {
      expected = expected.with("terminationGracePeriodSeconds", 1L);
    }
    if (!expected.equals(spec)) {
      errors.add(FieldError.forbidden("spec", OTHER_FIELDS));
    }
  }

  private static JsonArray imagesFrom(JsonArray containers, JsonArray from) {
    Iterator<JsonObject> images = from.objects().iterator();
    return containers.mapObjects(container -> FieldRules.keep("image", container, images.next()));
  }
}
