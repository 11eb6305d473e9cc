package dev.berth.registry.patch;

import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Merging;
import dev.berth.model.schema.Merging.PatchStrategy;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A strategic merge patch: a merge patch in which the schema says how each field merges, and
 * directives say what a merge cannot.
 *
 * <ul>
 *   <li>Objects are merged field by field, nulls remove, scalars replace.
 *   <li>A list is replaced, unless its patch strategy is merge: then scalars are added, and objects
 *       merged with those that have the same merge key (see {@link ListMerge}).
 *   <li>{@code $patch: replace} takes the patch for the whole, {@code $patch: delete} deletes.
 *   <li>{@code $retainKeys} drops the fields that it does not name.
 *   <li>{@code $deleteFromPrimitiveList/x} deletes elements of x.
 *   <li>{@code $setElementOrder/x} orders the elements of x.
 *   <li>Fields that the schema does not know are merged as in a merge patch.
 * </ul>
 *
 * <p>The result holds neither directives nor new nulls, which in Kubernetes get lost when the
 * result is read as a typed object.
 */
public final class StrategicMergePatch {
  private static final FieldSchema UNKNOWN =
      new FieldSchema("", FieldType.Scalar.ANY, false, Merging.UNSPECIFIED);

  private final Schemas schemas;

  public StrategicMergePatch(Schemas schemas) {
    this.schemas = schemas;
  }

  /** The object after the patch; itself if the patch changes nothing. */
  public JsonObject apply(TypeSchema type, JsonObject object, Object patch) {
    if (patch instanceof JsonObject changes) {
      return merge(object, changes, new FieldType.Reference(type.name()));
    }
    throw PatchException.badRequest(
        "error decoding patch: expected an object, found " + JsonKind.of(patch).withArticle());
  }

  JsonObject merge(JsonObject original, JsonObject patch, FieldType type) {
    Object directive = patch.get(Directives.PATCH);
    if (directive != null) {
      if (directive.equals(Directives.REPLACE)) {
        return Directives.fields(patch);
      }
      if (directive.equals(Directives.DELETE)) {
        return JsonObject.EMPTY;
      }
      throw unknownPatchType(directive, patch);
    }
    PatchedFields merged = new PatchedFields(original);
    retainKeys(merged, patch);
    Set<String> done = orderLists(merged, patch, type);
    for (int i = 0; i < patch.size(); i++) {
      String name = patch.name(i);
      Object value = patch.value(i);
      if (Directives.isDeleteFromList(name)) {
        deleteFromList(merged, Directives.deletedFrom(name), value);
      } else if (value == JsonNull.NULL) {
        merged.remove(name);
      } else if (!name.equals(Directives.RETAIN_KEYS) && !done.contains(name)) {
        mergeField(merged, name, value, field(type, name));
      }
    }
    return merged.build();
  }

  static PatchException unknownPatchType(Object directive, JsonObject patch) {
    return PatchException.failed(
        "unknown patch type: %s in map: %s".formatted(GoText.of(directive), GoText.of(patch)));
  }

  /** Drops what the directive does not name; what the patch sets must be named. */
  private static void retainKeys(PatchedFields merged, JsonObject patch) {
    Object directive = patch.get(Directives.RETAIN_KEYS);
    if (directive == null) {
      return;
    }
    if (!(directive instanceof JsonArray list)) {
      throw badRetainKeys();
    }
    Set<String> retained = new HashSet<>();
    for (Object name : list.values()) {
      if (name instanceof String text) {
        retained.add(text);
      }
    }
    for (int i = 0; i < patch.size(); i++) {
      String name = patch.name(i);
      boolean sets =
          patch.value(i) != JsonNull.NULL
              && !name.equals(Directives.RETAIN_KEYS)
              && !Directives.isDeleteFromList(name)
              && !Directives.isElementOrder(name);
      if (sets && !retained.contains(name)) {
        throw badRetainKeys();
      }
    }
    merged.retain(retained);
  }

  private static PatchException badRetainKeys() {
    return PatchException.badRequest("invalid patch format of retainKeys");
  }

  /**
   * Merges and orders the lists that have a directive for their order.
   *
   * @return the fields of the patch that need no more attention
   */
  private Set<String> orderLists(PatchedFields merged, JsonObject patch, FieldType type) {
    Set<String> done = new LinkedHashSet<>();
    for (int i = 0; i < patch.size(); i++) {
      if (!Directives.isElementOrder(patch.name(i))) {
        continue;
      }
      done.add(patch.name(i));
      JsonArray order = list(patch.value(i));
      String name = Directives.orderedField(patch.name(i));
      Optional<JsonArray> live =
          Optional.ofNullable(merged.get(name)).map(StrategicMergePatch::list);
      Optional<JsonArray> changes =
          Optional.ofNullable(patch.get(name)).map(StrategicMergePatch::list);
      ListMerge lists = new ListMerge(this, field(type, name));
      lists.checkOrder(changes.orElse(JsonArray.EMPTY), order);
      if (live.isPresent() || changes.isPresent()) {
        JsonArray old = live.orElse(JsonArray.EMPTY);
        JsonArray both = changes.isPresent() ? lists.mergeOrReplace(live, changes.get()) : old;
        merged.put(name, lists.ordered(both, order, old));
        done.add(name);
      }
    }
    return done;
  }

  private static JsonArray list(Object value) {
    if (value instanceof JsonArray list) {
      return list;
    }
    throw expected("[]interface {}", value);
  }

  static PatchException expected(String type, Object found) {
    return PatchException.failed("expected a " + type + ", but received a " + GoText.type(found));
  }

  private static void deleteFromList(PatchedFields merged, String name, Object deleted) {
    if (deleted == JsonNull.NULL) {
      merged.remove(name);
    } else if (deleted instanceof JsonArray elements
        && merged.get(name) instanceof JsonArray list) {
      merged.put(name, ListMerge.without(list, elements));
    }
  }

  private void mergeField(PatchedFields merged, String name, Object value, FieldSchema field) {
    Object old = merged.get(name);
    boolean replaces = field.merging().patchStrategies().contains(PatchStrategy.REPLACE);
    if (old instanceof JsonObject object && value instanceof JsonObject patch && !replaces) {
      merged.put(name, merge(object, patch, field.type()));
    } else if (old instanceof JsonArray live && value instanceof JsonArray patch) {
      merged.put(name, new ListMerge(this, field).mergeOrReplace(Optional.of(live), patch));
    } else {
      Object content = Directives.content(value);
      if (content == null) {
        merged.remove(name);
      } else {
        merged.put(name, content);
      }
    }
  }

  /** What is known of a field of an object of a type. */
  private FieldSchema field(FieldType type, String name) {
    return switch (type) {
      case FieldType.Reference reference ->
          schemas.type(reference.type()).flatMap(schema -> schema.field(name)).orElse(UNKNOWN);
      case FieldType.MapOf map -> new FieldSchema(name, map.value(), false, Merging.UNSPECIFIED);
      case FieldType.ListOf _, FieldType.Scalar _ -> UNKNOWN;
    };
  }
}
