package dev.berth.registry.apply;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Merging;
import dev.berth.model.schema.Merging.ListType;
import dev.berth.model.schema.Merging.MapType;
import dev.berth.model.schema.Merging.PatchStrategy;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.schema.TypeSchema;
import dev.berth.registry.apply.Structure.Field;
import dev.berth.registry.apply.Structure.Struct;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The structures of kinds, each made when first asked for. Safe to use from any thread.
 *
 * <p>Rules, as Kubernetes reads its own OpenAPI: a list is atomic unless it has a list type; one
 * that has none but is merged by patches is a map by its merge key, or a set if it has no such key.
 * Objects are owned field by field unless their field or their type says that they are atomic.
 */
public final class Structures {
  private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private final Schemas schemas;
  private final Map<String, Struct> byType = new ConcurrentHashMap<>();
  private final Struct withoutSchema;

  public Structures(Schemas schemas) {
    this.schemas = schemas;
    this.withoutSchema =
        new Struct(
            () ->
                Map.of(
                    "apiVersion", new Field("f:apiVersion", Structure.Leaf.LEAF),
                    "kind", new Field("f:kind", Structure.Leaf.LEAF),
                    "metadata", new Field("f:metadata", type(OBJECT_META))),
            true);
  }

  /** The structure of a kind; one that is deduced from the objects if it has no schema. */
  public Structure kind(GroupVersionKind kind) {
    return schemas.kind(kind).<Structure>map(schema -> type(schema.name())).orElse(withoutSchema);
  }

  /** The structure of a kind that somebody defined. */
  public Structure custom(StructuralSchema schema) {
    return schema.view(Structure.class, root -> CustomStructures.of(root, type(OBJECT_META)));
  }

  private Structure type(String name) {
    Struct known = byType.get(name);
    if (known != null) {
      return known;
    }
    Optional<TypeSchema> schema = schemas.type(name);
    if (schema.isEmpty() || schema.get().fields().isEmpty()) {
      return Structure.Deduced.DEDUCED;
    }
    return byType.computeIfAbsent(name, _ -> new Struct(() -> fields(schema.get()), false));
  }

  private Map<String, Field> fields(TypeSchema type) {
    Map<String, Field> fields = HashMap.newHashMap(type.fields().size());
    for (FieldSchema field : type.fields()) {
      fields.put(
          field.name(), new Field("f:" + field.name(), structure(field.type(), field.merging())));
    }
    return Map.copyOf(fields);
  }

  private Structure structure(FieldType type, Merging merging) {
    return switch (type) {
      case FieldType.Scalar _ -> Structure.Leaf.LEAF;
      case FieldType.Reference reference ->
          isAtomic(reference, merging)
              ? new Structure.Atomic(type(reference.type()))
              : type(reference.type());
      case FieldType.MapOf map -> {
        Structure values = new Structure.MapOf(structure(map.value(), Merging.UNSPECIFIED));
        yield merging.mapType() == MapType.ATOMIC ? new Structure.Atomic(values) : values;
      }
      case FieldType.ListOf list -> list(list.element(), merging);
    };
  }

  private boolean isAtomic(FieldType.Reference reference, Merging merging) {
    return switch (merging.mapType()) {
      case ATOMIC -> true;
      case GRANULAR -> false;
      case UNSPECIFIED ->
          schemas
              .type(reference.type())
              .filter(schema -> schema.mapType() == MapType.ATOMIC)
              .isPresent();
    };
  }

  private Structure list(FieldType element, Merging merging) {
    boolean patchesMerge =
        merging.listType() == ListType.UNSPECIFIED
            && merging.patchStrategies().contains(PatchStrategy.MERGE);
    if (merging.listType() == ListType.MAP) {
      return keyed(element, merging.listMapKeys());
    }
    if (patchesMerge && !merging.patchMergeKey().isEmpty()) {
      return keyed(element, List.of(merging.patchMergeKey()));
    }
    return patchesMerge || merging.listType() == ListType.SET
        ? Structure.SetList.SET
        : atomicList(structure(element, Merging.UNSPECIFIED));
  }

  /** An atomic list: of scalars, or of what may have something wrong in it. */
  static Structure atomicList(Structure element) {
    return element == Structure.Leaf.LEAF
        ? Structure.Leaf.LEAF
        : new Structure.Atomic(new Structure.PlainList(element));
  }

  private Structure keyed(FieldType element, List<String> names) {
    List<Structure.Key> keys = new ArrayList<>();
    for (String name : names) {
      keys.add(new Structure.Key(name, whenAbsent(element, name)));
    }
    keys.sort(Comparator.comparing(Structure.Key::name));
    return new Structure.KeyedList(keys, structure(element, Merging.UNSPECIFIED));
  }

  /** Ports are of TCP; other keys that are required are empty or 0, as in Kubernetes' OpenAPI. */
  private @Nullable Object whenAbsent(FieldType element, String key) {
    if (key.equals("protocol")) {
      return "TCP";
    }
    Optional<FieldSchema> field =
        element instanceof FieldType.Reference reference
            ? schemas.type(reference.type()).flatMap(schema -> schema.field(key))
            : Optional.empty();
    if (field.isEmpty() || !field.get().required()) {
      return null;
    }
    FieldType type = field.get().type();
    return type == FieldType.Scalar.INT32 || type == FieldType.Scalar.INT64 ? (Object) 0L : "";
  }
}
