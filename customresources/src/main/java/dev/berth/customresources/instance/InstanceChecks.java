package dev.berth.customresources.instance;

import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PLACEHOLDER. */
final class InstanceChecks {
  private InstanceChecks() {}

  static boolean hasRules(StructuralSchema schema) {
    return false;
  }

  static InstanceChecks of(StructuralSchema schema) {
    return new InstanceChecks();
  }

  List<FieldError> check(JsonObject object, @Nullable JsonObject old) {
    return List.of();
  }
}
