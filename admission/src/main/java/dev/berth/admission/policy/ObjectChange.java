package dev.berth.admission.policy;

import dev.berth.cel.eval.CelTrees;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.StructValue;
import dev.berth.cel.value.Values;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.Structure;
import dev.berth.registry.apply.StructuredMerge;
import dev.berth.registry.apply.Structures;
import dev.berth.registry.patch.JsonPatch;
import dev.berth.registry.patch.PatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the values of mutating expressions make of an object. */
final class ObjectChange {
  private final Structures structures = new Structures(Schemas.builtIn());

  /** Merges {@code Object{…}} into an object; fails with the reason if it cannot be. */
  JsonObject apply(JsonObject object, Object value, Resource resource) {
    if (!(value instanceof StructValue struct)) {
      throw new CelException(
          "unsupported return type from ApplyConfiguration expression: " + Values.typeName(value));
    }
    checkTypes(struct);
    GroupVersionKind kind = resource.kind();
    JsonObject part =
        ((JsonObject) CelTrees.toTree(struct))
            .with("apiVersion", kind.groupVersion().toString())
            .with("kind", kind.kind());
    Structure structure =
        resource
            .custom()
            .map(custom -> structures.custom(custom.schema()))
            .orElseGet(() -> structures.kind(kind));
    List<String> atomics = StructuredMerge.atomics(part, structure);
    if (!atomics.isEmpty()) {
      throw new CelException(
          "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or"
              + " structs: "
              + String.join(", ", atomics));
    }
    return StructuredMerge.merge(object, part, structure);
  }

  /** Objects in an apply configuration are named after where they stand: {@code Object.spec}. */
  private static void checkTypes(StructValue struct) {
    List<String> problems = new ArrayList<>();
    checkTypes(struct, struct.type().name(), problems);
    if (!problems.isEmpty()) {
      throw new CelException("type mismatch: " + String.join("\n", problems));
    }
  }

  private static void checkTypes(Object value, String path, List<String> problems) {
    switch (value) {
      case StructValue struct -> {
        if (!struct.type().name().equals(path)) {
          problems.add(
              "unexpected type name \"%s\", expected \"%s\", which matches field name path from root Object type"
                  .formatted(struct.type().name(), path));
        }
        struct.fields().forEach((name, field) -> checkTypes(field, path + "." + name, problems));
      }
      case List<?> list -> list.forEach(element -> checkTypes(element, path, problems));
      case Map<?, ?> map -> map.values().forEach(entry -> checkTypes(entry, path, problems));
      default -> {}
    }
  }

  /** Applies a list of {@code JSONPatch{…}}; a test that fails leaves the object as it is. */
  JsonObject patch(JsonObject object, Object value) {
    List<Object> steps = Values.asList(value);
    if (steps == null) {
      throw new CelException("type mismatch: JSONPatchType.expression should evaluate to array");
    }
    List<JsonObject> operations = new ArrayList<>();
    for (Object step : steps) {
      if (!(step instanceof StructValue operation)) {
        throw new CelException(
            "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch, got"
                + " element of "
                + Values.typeName(step));
      }
      if (operation.field("value") instanceof StructValue added) {
        checkTypes(added);
      }
      operations.add((JsonObject) CelTrees.toTree(operation));
    }
    JsonObject current = object;
    try {
      for (JsonObject operation : operations) {
        JsonPatch patch = JsonPatch.parse(JsonArray.of(operation));
        try {
          current = patch.apply(current);
        } catch (PatchException e) {
          if (operation.text("op", "").equals("test")) {
            return object;
          }
          throw e;
        }
      }
      return current;
    } catch (PatchException e) {
      throw new CelException("JSON Patch: " + e.getMessage());
    }
  }
}
