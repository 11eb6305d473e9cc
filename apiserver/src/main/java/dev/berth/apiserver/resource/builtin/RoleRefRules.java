package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Bindings of roles: whom they are for may change, what they give may not. */
final class RoleRefRules implements ResourceRules {
  @Override
  public List<FieldError> validate(JsonObject binding) {
    return binding.object("roleRef").text("name", "").isEmpty()
        ? List.of(FieldError.required("roleRef.name", ""))
        : List.of();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject binding, JsonObject old) {
    return binding.object("roleRef").equals(old.object("roleRef"))
        ? List.of()
        : List.of(
            FieldError.invalid("roleRef", binding.object("roleRef"), "cannot change roleRef"));
  }
}
