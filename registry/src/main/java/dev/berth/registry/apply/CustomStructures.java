package dev.berth.registry.apply;

import dev.berth.model.schema.StructuralSchema;
import dev.berth.registry.apply.Structure.Field;
import dev.berth.registry.apply.Structure.Struct;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The structure of a kind that somebody defined, from its schema, as Kubernetes reads that: lists
 * are atomic unless they say otherwise, objects and maps are owned field by field unless they do,
 * and what no schema describes is deduced from the objects.
 */
final class CustomStructures {
  private final Structure metadata;

  private CustomStructures(Structure metadata) {
    this.metadata = metadata;
  }

  /**
   * The structure of whole objects.
   *
   * @param metadata that of their metadata, and of the objects within them
   */
  static Structure of(StructuralSchema schema, Structure metadata) {
    return new CustomStructures(metadata).object(schema, true);
  }

  private Structure object(StructuralSchema schema, boolean whole) {
    Map<String, Field> fields = HashMap.newHashMap(schema.properties().size() + 3);
    schema.properties().forEach((name, property) -> fields.put(name, field(name, of(property))));
    if (whole) {
      fields.put("apiVersion", field("apiVersion", Structure.Leaf.LEAF));
      fields.put("kind", field("kind", Structure.Leaf.LEAF));
      fields.put("metadata", field("metadata", metadata));
    }
    boolean open = schema.preservesUnknown() || schema.hasAdditional();
    return new Struct(() -> fields, open);
  }

  private static Field field(String name, Structure structure) {
    return new Field("f:" + name, structure);
  }

  private Structure of(StructuralSchema schema) {
    if (schema.isIntOrString()) {
      return Structure.Leaf.LEAF;
    }
    return switch (schema.type()) {
      case "object" -> map(schema);
      case "array" -> list(schema);
      case "" -> Structure.Deduced.DEDUCED;
      default -> Structure.Leaf.LEAF;
    };
  }

  private Structure map(StructuralSchema schema) {
    Structure fields =
        schema.properties().isEmpty() && !schema.isEmbeddedResource()
            ? new Structure.MapOf(
                schema.additional() == null ? Structure.Deduced.DEDUCED : of(schema.additional()))
            : object(schema, schema.isEmbeddedResource());
    return schema.mapType().equals("atomic") ? new Structure.Atomic(fields) : fields;
  }

  private Structure list(StructuralSchema schema) {
    StructuralSchema items = schema.items();
    return switch (schema.listType()) {
      case "set" -> Structure.SetList.SET;
      case "map" -> {
        if (items == null) {
          yield Structure.Leaf.LEAF;
        }
        List<Structure.Key> keys = new ArrayList<>();
        for (String name : schema.listMapKeys()) {
          StructuralSchema key = items.property(name);
          keys.add(new Structure.Key(name, key == null ? null : key.whenAbsent()));
        }
        keys.sort(Comparator.comparing(Structure.Key::name));
        yield new Structure.KeyedList(keys, of(items));
      }
      default -> items == null ? Structure.Leaf.LEAF : Structures.atomicList(of(items));
    };
  }
}
