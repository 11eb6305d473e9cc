package dev.berth.kinds.storage;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Classes of what a volume can be changed to; who wants others makes another class. */
final class VolumeAttributesClassRules implements ResourceRules {
  @Override
  public List<FieldError> validate(JsonObject attributes) {
    FieldErrorList problems = new FieldErrorList();
    StorageParameters.driver(attributes, "driverName", problems);
    StorageParameters.parameters(attributes, true, problems);
    return problems.all();
  }

  /** What changed comes first in messages, what is wrong anyhow after it. */
  @Override
  public List<FieldError> validateReplacing(JsonObject attributes, JsonObject old) {
    List<FieldError> errors = new ArrayList<>(changes(attributes, old));
    errors.addAll(validate(attributes));
    return errors;
  }

  private static List<FieldError> changes(JsonObject attributes, JsonObject old) {
    List<FieldError> errors = new ArrayList<>();
    for (String field : List.of("driverName", "parameters")) {
      if (!Objects.equals(attributes.get(field), old.get(field))) {
        errors.add(FieldError.forbidden(field, "updates to %s are forbidden.".formatted(field)));
      }
    }
    return errors;
  }
}
