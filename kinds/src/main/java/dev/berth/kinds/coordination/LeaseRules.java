package dev.berth.kinds.coordination;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Leases: heartbeats of nodes, and who leads. */
final class LeaseRules implements ResourceRules {
  @Override
  public List<FieldError> validate(JsonObject lease) {
    List<FieldError> errors = new ArrayList<>();
    lease
        .object("spec")
        .integer("leaseDurationSeconds")
        .ifPresent(seconds -> {
          if (seconds <= 0) {
            errors.add(
                FieldError.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
          }
        });
    errors.addAll(FieldRules.notNegative(FieldPath.of("spec", "leaseTransitions"), lease));
    return errors;
  }
}
