package dev.berth.kinds.apps;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Objects;

/** Revisions of templates: an object of whatever its controller wants to remember. */
final class ControllerRevisionRules implements ResourceRules {
  private static final FieldPath DATA = FieldPath.of("data");

  @Override
  public List<FieldError> validate(JsonObject revision) {
    FieldErrorList problems = new FieldErrorList();
    problems.notNegative(revision, "revision", FieldPath.ROOT);
    switch (revision.get("data")) {
      case null -> problems.required(DATA, "data is mandatory");
      case JsonNull _ -> problems.required(DATA, "data is mandatory");
      case JsonObject _ -> {}
      case Object _ -> problems.required(DATA, "data must be a valid JSON object");
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject revision, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    problems.notNegative(revision, "revision", FieldPath.ROOT);
    Object data = revision.get("data");
    if (!Objects.equals(data, old.get("data"))) {
      problems.invalid(DATA, data == null ? JsonNull.NULL : data, "field is immutable");
    }
    return problems.all();
  }
}
