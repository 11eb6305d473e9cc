package dev.berth.kinds.scheduling;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Priority classes: values never change, and the highest are the system's. */
final class PriorityClassRules implements ResourceRules {
  private static final long HIGHEST = 1_000_000_000;
  private static final String SYSTEM_PREFIX = "system-";
  private static final Map<String, Long> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);
  private static final List<String> POLICIES = List.of("PreemptLowerPriority", "Never");

  @Override
  public JsonObject defaults(JsonObject priorityClass) {
    return FieldRules.orDefault(
        FieldRules.orDefault(priorityClass, "value", 0L),
        "preemptionPolicy",
        "PreemptLowerPriority");
  }

  @Override
  public List<FieldError> validate(JsonObject priorityClass) {
    List<FieldError> errors = new ArrayList<>();
    String name = Metadata.of(priorityClass).name();
    long value = priorityClass.integer("value").orElse(0);
    if (name.startsWith(SYSTEM_PREFIX)) {
      systemProblem(name, value, priorityClass.flag("globalDefault", false))
          .ifPresent(problem ->
              errors.add(
                  FieldError.forbidden(
                      "metadata.name",
                      "priority class names with '"
                          + SYSTEM_PREFIX
                          + "' prefix are reserved for system use only. error: "
                          + problem)));
    } else if (value > HIGHEST) {
      errors.add(
          FieldError.forbidden(
              "value", "maximum allowed value of a user defined priority is " + HIGHEST));
    }
    String policy = priorityClass.text("preemptionPolicy", "");
    if (policy.isEmpty()) {
      errors.add(FieldError.required("preemptionPolicy", ""));
    } else {
      errors.addAll(FieldRules.oneOf(FieldPath.of("preemptionPolicy"), policy, POLICIES));
    }
    return errors;
  }

  private static Optional<String> systemProblem(String name, long value, boolean isDefault) {
    Long known = SYSTEM.get(name);
    if (known == null) {
      return Optional.of(name + " is not a known system priority class");
    }
    if (value != known) {
      return Optional.of("value of %s PriorityClass must be %d".formatted(name, known));
    }
    return isDefault
        ? Optional.of("globalDefault of %s PriorityClass must be false".formatted(name))
        : Optional.empty();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject priorityClass, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    if (!Objects.equals(priorityClass.get("value"), old.get("value"))) {
      errors.add(FieldError.forbidden("value", "may not be changed in an update."));
    }
    errors.addAll(FieldRules.immutable(FieldPath.of("preemptionPolicy"), priorityClass, old));
    return errors;
  }
}
