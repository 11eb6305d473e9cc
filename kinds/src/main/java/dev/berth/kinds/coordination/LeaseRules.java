package dev.berth.kinds.coordination;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Leases: heartbeats of nodes, and who leads. */
final class LeaseRules implements ResourceRules {
  /** What leases that are given out by a server would say; no server does that by default. */
  private static final List<String> COORDINATED = List.of("strategy", "preferredHolder");

  @Override
  public JsonObject prepareForCreate(JsonObject lease, Instant now) {
    return withoutCoordination(lease, JsonObject.EMPTY);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject lease, JsonObject old, Instant now) {
    return withoutCoordination(lease, old);
  }

  private static JsonObject withoutCoordination(JsonObject lease, JsonObject old) {
    JsonObject spec = lease.object("spec");
    JsonObject kept = spec;
    for (String field : COORDINATED) {
      kept = old.object("spec").has(field) ? kept : kept.without(field);
    }
    return kept.size() == spec.size() ? lease : lease.with("spec", kept);
  }

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
