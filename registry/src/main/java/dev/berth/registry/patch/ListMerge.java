package dev.berth.registry.patch;

import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Merging.PatchStrategy;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges a list of a strategic merge patch into a live one.
 *
 * <p>Order: elements of the patch stand as in the patch (or as {@code $setElementOrder} says), the
 * others as they stood; an element that only the server has goes before the first element of the
 * patch that it stood before.
 */
final class ListMerge {
  /** How often one element may be changed; each time, all of its fields are looked at. */
  private static final int MOST_CHANGES = 16;

  /** Stands for the key of an element that has none, and is none. */
  private static final Object NO_KEY = new Object();

  private final StrategicMergePatch patches;
  private final FieldSchema field;
  private final String mergeKey;

  ListMerge(StrategicMergePatch patches, FieldSchema field) {
    this.patches = patches;
    this.field = field;
    this.mergeKey = field.merging().patchMergeKey();
  }

  JsonArray mergeOrReplace(Optional<JsonArray> live, JsonArray patch) {
    boolean merges = field.merging().patchStrategies().contains(PatchStrategy.MERGE);
    if (live.isEmpty() || !merges) {
      Object content = Directives.content(patch);
      return content instanceof JsonArray array ? array : JsonArray.EMPTY;
    }
    return merge(live.get(), patch);
  }

  private JsonArray merge(JsonArray live, JsonArray patch) {
    JsonKind kind = elementKind(live, patch);
    if (kind == JsonKind.OBJECT) {
      return mergeObjects(live, patch);
    }
    Set<Object> union = new LinkedHashSet<>(live.values());
    union.addAll(patch.values());
    return ordered(JsonArray.copyOf(List.copyOf(union)), patch, live);
  }

  /** All elements must be of one kind, the first no list; nothing is said of empty lists. */
  private static JsonKind elementKind(JsonArray live, JsonArray patch) {
    JsonKind kind = JsonKind.NULL;
    for (JsonArray list : List.of(live, patch)) {
      for (Object element : list.values()) {
        JsonKind found = JsonKind.of(element);
        if (kind == JsonKind.NULL && found == JsonKind.ARRAY) {
          throw PatchException.unprocessable("lists of lists are not supported");
        }
        if (kind != JsonKind.NULL && kind != found) {
          throw PatchException.failed(
              "list element types are not identical: [%s %s]"
                  .formatted(GoText.of(live), GoText.of(patch)));
        }
        kind = found;
      }
    }
    return kind;
  }

  private JsonArray mergeObjects(JsonArray live, JsonArray patch) {
    if (mergeKey.isEmpty()) {
      throw PatchException.failed("cannot merge lists without merge key for " + field.name());
    }
    List<JsonObject> changes = new ArrayList<>();
    Set<Object> deleted = new HashSet<>();
    boolean replace = false;
    for (JsonObject element : patch.objects()) {
      Object directive = element.get(Directives.PATCH);
      if (directive == null) {
        changes.add(element);
      } else if (directive.equals(Directives.DELETE)) {
        deleted.add(key(element));
      } else if (directive.equals(Directives.REPLACE)) {
        replace = true;
      } else if (directive.equals(Directives.MERGE)) {
        throw PatchException.failed("merging lists cannot yet be specified in the patch");
      } else {
        throw StrategicMergePatch.unknownPatchType(directive, element);
      }
    }
    if (replace) {
      changes.forEach(this::key);
      return JsonArray.copyOf(changes.stream().map(Directives::fields).toList());
    }
    List<JsonObject> merged = new ArrayList<>(live.objects());
    merged.removeIf(element -> deleted.contains(keyOrNothing(element)));
    mergeInto(merged, changes);
    return ordered(JsonArray.copyOf(merged), JsonArray.copyOf(changes), live);
  }

  /** Merges each change into the first element with its key, or adds it as a new one. */
  private void mergeInto(List<JsonObject> merged, List<JsonObject> changes) {
    Map<Object, Integer> places = new HashMap<>();
    for (int i = 0; i < merged.size(); i++) {
      places.putIfAbsent(keyOrNothing(merged.get(i)), i);
    }
    FieldType element =
        field.type() instanceof FieldType.ListOf list ? list.element() : field.type();
    Map<Integer, Integer> changesOf = new HashMap<>();
    for (JsonObject change : changes) {
      Integer place = places.putIfAbsent(key(change), merged.size());
      if (place == null) {
        merged.add(Directives.fields(change));
      } else {
        if (changesOf.merge(place, 1, Integer::sum) > MOST_CHANGES) {
          throw PatchException.tooLarge(
              "The allowed maximum changes of one element of a list is " + MOST_CHANGES);
        }
        merged.set(place, patches.merge(merged.get(place), change, element));
      }
    }
  }

  /** The elements in the order wanted, those of which it says nothing as in the live list. */
  JsonArray ordered(JsonArray merged, JsonArray wanted, JsonArray live) {
    Map<Object, Integer> wantedPlaces = places(wanted);
    Map<Object, Integer> livePlaces = places(live);
    List<Object> named = new ArrayList<>();
    List<Object> others = new ArrayList<>();
    for (Object element : merged.values()) {
      (wantedPlaces.containsKey(identity(element)) ? named : others).add(element);
    }
    named.sort(Comparator.comparingInt(element -> place(wantedPlaces, element)));
    others.sort(Comparator.comparingInt(element -> place(livePlaces, element)));
    List<Object> both = new ArrayList<>(merged.size());
    int next = 0;
    for (Object element : named) {
      while (next < others.size() && stoodBefore(others.get(next), element, livePlaces)) {
        both.add(others.get(next++));
      }
      both.add(element);
    }
    both.addAll(others.subList(next, others.size()));
    return JsonArray.copyOf(both);
  }

  private boolean stoodBefore(Object left, Object right, Map<Object, Integer> places) {
    Integer leftPlace = places.get(identity(left));
    Integer rightPlace = places.get(identity(right));
    return leftPlace != null && rightPlace != null && leftPlace < rightPlace;
  }

  private int place(Map<Object, Integer> places, Object element) {
    return places.getOrDefault(identity(element), Integer.MAX_VALUE);
  }

  private Map<Object, Integer> places(JsonArray list) {
    Map<Object, Integer> places = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      places.putIfAbsent(identity(list.get(i)), i);
    }
    return places;
  }

  /** What tells elements apart: the merge key of an object, a scalar itself. */
  private Object identity(Object element) {
    if (mergeKey.isEmpty() && isScalar(element)) {
      return element;
    }
    if (!mergeKey.isEmpty() && element instanceof JsonObject object) {
      return key(object);
    }
    throw StrategicMergePatch.expected("map[string]interface {}", element);
  }

  private Object key(JsonObject element) {
    Object key = element.get(mergeKey);
    if (key == null || !isScalar(key)) {
      throw PatchException.failed(
          "map: %s does not contain declared merge key: %s"
              .formatted(GoText.of(element), mergeKey));
    }
    return key;
  }

  /** The merge key, or something that is no merge key. */
  private Object keyOrNothing(JsonObject element) {
    Object key = element.get(mergeKey);
    return key == null || !isScalar(key) ? NO_KEY : key;
  }

  /** Objects and lists tell nothing apart: finding one of many would take a look at all of them. */
  private static boolean isScalar(Object value) {
    return !(value instanceof JsonObject || value instanceof JsonArray);
  }

  /** The patch must name its elements in the order wanted, and none beside. */
  void checkOrder(JsonArray patch, JsonArray wanted) {
    if (patch.isEmpty() || wanted.isEmpty()) {
      return;
    }
    int next = 0;
    for (Object element : patch.values()) {
      if (element instanceof JsonObject object && object.has(Directives.PATCH)) {
        continue;
      }
      Object identity = identity(element);
      while (next < wanted.size() && !identity(wanted.get(next)).equals(identity)) {
        next++;
      }
      if (next == wanted.size()) {
        throw PatchException.failed(
            "the order in patch list:\n%s\n doesn't match $setElementOrder list:\n%s"
                .formatted(GoText.of(patch), GoText.of(wanted)));
      }
      next++;
    }
  }

  /** A list of scalars without some of them. */
  static JsonArray without(JsonArray list, JsonArray deleted) {
    Set<Object> gone = new HashSet<>();
    for (Object element : deleted.values()) {
      if (isScalar(element)) {
        gone.add(element);
      }
    }
    List<Object> kept = new ArrayList<>(list.values());
    kept.removeIf(gone::contains);
    return JsonArray.copyOf(kept);
  }
}
