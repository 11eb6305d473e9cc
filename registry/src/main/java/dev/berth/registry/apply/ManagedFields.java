package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The entries of {@code metadata.managedFields}.
 *
 * @param tree the entries as they stood in the object, when they do
 */
record ManagedFields(List<ManagedEntry> entries, JsonArray tree) {
  private static final String FIELD = "managedFields";

  static final ManagedFields NONE = new ManagedFields(List.of(), JsonArray.EMPTY);

  /** The entries of an object that this server wrote. Any that are damaged count as none. */
  static ManagedFields of(JsonObject object) {
    if (!(object.object("metadata").get(FIELD) instanceof JsonArray array) || array.isEmpty()) {
      return NONE;
    }
    List<ManagedEntry> entries = new ArrayList<>(array.size());
    for (Object element : array.values()) {
      if (!(element instanceof JsonObject entry)
          || !(entry.get("fieldsV1") instanceof JsonObject)) {
        return NONE;
      }
      entries.add(new ManagedEntry(entry));
    }
    return new ManagedFields(entries, array);
  }

  /**
   * The entries that an update leads to, before it is tracked. Clients may correct entries; those
   * that know nothing of them must not lose them, so an absent or damaged list means the live one.
   * An empty list, or one empty entry, asks to forget them.
   */
  static ManagedFields sent(JsonObject updated, ManagedFields live) {
    if (!(updated.object("metadata").get(FIELD) instanceof JsonArray array)
        || array.equals(live.tree)) {
      return live;
    }
    if (array.isEmpty() || array.equals(JsonArray.of(JsonObject.EMPTY))) {
      return NONE;
    }
    try {
      Map<ManagedEntry.Key, ManagedEntry> entries = new LinkedHashMap<>();
      for (int i = 0; i < array.size(); i++) {
        if (!(array.get(i) instanceof JsonObject tree)) {
          return live;
        }
        ManagedEntry entry = ManagedEntry.parse(tree, i);
        entries.put(entry.key(), entry);
      }
      entries.values().removeIf(entry -> entry.fields().isEmpty());
      return new ManagedFields(List.copyOf(entries.values()), JsonArray.EMPTY);
    } catch (JsonException _) {
      return live;
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  Optional<ManagedEntry> find(ManagedEntry.Key key) {
    for (ManagedEntry entry : entries) {
      if (entry.key().equals(key)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** The object with other entries in place of these, which are those of a live object. */
  JsonObject replace(List<ManagedEntry> with, JsonObject object) {
    List<ManagedEntry> sorted = new ArrayList<>(with);
    sorted.sort(ManagedEntry.ORDER);
    JsonArray array = sameTrees(sorted) ? tree : trees(sorted);
    JsonObject metadata = object.object("metadata");
    JsonObject changed = array.isEmpty() ? metadata.without(FIELD) : metadata.with(FIELD, array);
    return SetOperations.same(changed, metadata) ? object : object.with("metadata", changed);
  }

  private boolean sameTrees(List<ManagedEntry> others) {
    if (others.size() != tree.size()) {
      return false;
    }
    for (int i = 0; i < tree.size(); i++) {
      if (!SetOperations.same(others.get(i).tree(), tree.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static JsonArray trees(List<ManagedEntry> entries) {
    Object[] trees = new Object[entries.size()];
    Arrays.setAll(trees, i -> entries.get(i).tree());
    return JsonArray.of(trees);
  }
}
