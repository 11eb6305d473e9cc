package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Priority classes: values never change, and the highest are the system's. */
final class PriorityClassRules implements ResourceRules {
  private static final long HIGHEST = 1_000_000_000;
  private static final List<String> POLICIES = List.of("Never", "PreemptLowerPriority");

  @Override
  public JsonObject defaults(JsonObject priorityClass) {
    return Fields.orDefault(
        Fields.orDefault(priorityClass, "value", 0L), "preemptionPolicy", "PreemptLowerPriority");
  }

  @Override
  public List<FieldError> validate(JsonObject priorityClass) {
    List<FieldError> errors = new ArrayList<>();
    boolean system = Metadata.of(priorityClass).name().startsWith("system-");
    if (!system && priorityClass.integer("value").orElse(0) > HIGHEST) {
      errors.add(
          FieldError.forbidden(
              "value", "maximum allowed value of a user defined priority is " + HIGHEST));
    }
    errors.addAll(
        Fields.oneOf(
            FieldPath.of("preemptionPolicy"),
            priorityClass.text("preemptionPolicy", ""),
            POLICIES));
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject priorityClass, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    if (!Objects.equals(priorityClass.get("value"), old.get("value"))) {
      errors.add(FieldError.forbidden("value", "may not be changed in an update."));
    }
    errors.addAll(Fields.immutable(FieldPath.of("preemptionPolicy"), priorityClass, old));
    return errors;
  }
}
