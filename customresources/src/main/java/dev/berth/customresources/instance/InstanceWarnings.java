package dev.berth.customresources.instance;

import dev.berth.customresources.rules.SchemaRules;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What whoever writes a custom resource is told: which rules of its schema are broken by what did
 * not change, which is let in, and which finalizers have odd names.
 */
final class InstanceWarnings implements ObjectWarnings {
  private final Supplier<StructuralSchema> schema;
  private final FinalizerWarnings finalizers = new FinalizerWarnings();

  InstanceWarnings(Supplier<StructuralSchema> schema) {
    this.schema = schema;
  }

  @Override
  public List<String> onCreate(JsonObject object) {
    return finalizers.onCreate(object);
  }

  @Override
  public List<String> onUpdate(JsonObject object, JsonObject old) {
    List<String> warnings = new ArrayList<>(forgiven(object, old));
    warnings.addAll(finalizers.onUpdate(object, old));
    return warnings;
  }

  @Override
  public List<String> onSubresource(String subresource, JsonObject object, JsonObject old) {
    return forgiven(object, old);
  }

  private List<String> forgiven(JsonObject object, JsonObject old) {
    return SchemaRules.of(schema.get()).forgiven(object, old).stream()
        .map(FieldError::toString)
        .toList();
  }
}
