package dev.berth.customresources.schema;

import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the fields that a schema does not know. Where it preserves unknown fields, those that
 * it does know are pruned inside all the same.
 *
 * <p>Paths of what was left out are written as Kubernetes writes them here, keys of maps with a dot
 * before them.
 */
@SuppressWarnings("ReferenceEquality") // what does not change is the same value
public final class Pruning {
  /** Fields of every object, which are not the schema's at the root of one. */
  static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

  private final List<String> unknown = new ArrayList<>();

  private Pruning() {}

  /**
   * What is left of a value.
   *
   * @param unknown the paths of the fields that were left out, in their order as texts
   */
  public record Pruned(Object value, List<String> unknown) {
    public Pruned {
      unknown = List.copyOf(unknown);
    }
  }

  /** Prunes an object of a resource. */
  public static Pruned object(JsonObject object, StructuralSchema schema) {
    return prune(object, schema, true);
  }

  /**
   * Prunes a value.
   *
   * @param resourceRoot whether the value is a whole object, whose metadata stay
   */
  public static Pruned prune(Object value, StructuralSchema schema, boolean resourceRoot) {
    Pruning pruning = new Pruning();
    Object pruned = pruning.prune(value, schema, resourceRoot, "");
    Collections.sort(pruning.unknown);
    return new Pruned(pruned, pruning.unknown);
  }

  private Object prune(
      Object value, @Nullable StructuralSchema schema, boolean resource, String at) {
    return switch (value) {
      case JsonObject object when schema != null && schema.preservesUnknown() ->
          known(object, schema, resource, at);
      case JsonObject object -> object(object, schema, resource, at);
      case JsonArray array -> array(array, schema, at);
      default -> value;
    };
  }

  private JsonObject object(
      JsonObject object, @Nullable StructuralSchema schema, boolean resource, String at) {
    if (schema == null) {
      object.names().forEach(name -> note(at, name));
      return JsonObject.EMPTY;
    }
    JsonObject.@Nullable Builder kept = null;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Object value = object.value(i);
      boolean meta = META.contains(name);
      Object pruned = value;
      boolean stays = resource && meta;
      if (!stays) {
        StructuralSchema own = schema.property(name);
        stays = own != null || schema.hasAdditional();
        if (stays && mayHoldFields(value)) {
          StructuralSchema inside = own == null ? schema.additional() : own;
          pruned = prune(value, inside, isEmbedded(inside), child(at, name));
        } else if (!stays && !(meta && at.isEmpty())) {
          note(at, name);
        }
      }
      if (kept == null && (pruned != value || !stays)) {
        kept = fieldsBefore(object, i);
      }
      if (kept != null && stays) {
        kept.put(name, pruned);
      }
    }
    return kept == null ? object : kept.build();
  }

  private static boolean mayHoldFields(Object value) {
    return value instanceof JsonObject || value instanceof JsonArray;
  }

  private static JsonObject.Builder fieldsBefore(JsonObject object, int end) {
    JsonObject.Builder fields = new JsonObject.Builder();
    for (int i = 0; i < end; i++) {
      fields.put(object.name(i), object.value(i));
    }
    return fields;
  }

  private static boolean isEmbedded(@Nullable StructuralSchema schema) {
    return schema != null && schema.isEmbeddedResource();
  }

  /** Nothing is left out here, but further inside. */
  private JsonObject known(
      JsonObject object, StructuralSchema schema, boolean resource, String at) {
    JsonObject result = object;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      if (resource && META.contains(name)) {
        continue;
      }
      StructuralSchema own = schema.property(name);
      if (own != null || schema.hasAdditional()) {
        StructuralSchema inside = own == null ? schema.additional() : own;
        Object value = object.value(i);
        Object pruned = prune(value, inside, isEmbedded(inside), child(at, name));
        if (pruned != value) {
          result = result.with(name, pruned);
        }
      }
    }
    return result;
  }

  private JsonArray array(JsonArray array, @Nullable StructuralSchema schema, String at) {
    StructuralSchema items = schema == null ? null : schema.items();
    boolean preserves = schema != null && schema.preservesUnknown();
    if (preserves && items == null) {
      return array;
    }
    Object @Nullable [] changed = null;
    for (int i = 0; i < array.size(); i++) {
      Object value = array.get(i);
      if (!(value instanceof JsonObject) && !(value instanceof JsonArray)) {
        continue;
      }
      String place = at + "[" + i + "]";
      Object pruned =
          preserves && items != null && value instanceof JsonObject object
              ? known(object, items, items.isEmbeddedResource(), place)
              : prune(value, items, isEmbedded(items), place);
      if (pruned != value) {
        changed = changed == null ? array.values().toArray() : changed;
        changed[i] = pruned;
      }
    }
    return changed == null ? array : JsonArray.of(changed);
  }

  private static String child(String at, String name) {
    return at.isEmpty() ? name : at + "." + name;
  }

  private void note(String at, String name) {
    if (unknown.size() < JsonLimits.MOST_ODDITIES) {
      unknown.add(child(at, name));
    }
  }
}
