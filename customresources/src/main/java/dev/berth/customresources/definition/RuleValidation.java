package dev.berth.customresources.definition;

import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import java.util.List;

/** PLACEHOLDER. */
final class RuleValidation {
  private RuleValidation() {}

  static List<FieldError> validate(StructuralSchema schema, FieldPath at, boolean known) {
    return List.of();
  }
}
