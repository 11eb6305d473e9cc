package dev.berth.registry;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The owners of an object, each of which it names once. */
public final class OwnerReferences {
  private static final String FIELD = "ownerReferences";

  private OwnerReferences() {}

  /**
   * The object without owners that it names again in the same words.
   *
   * @param admitted whether policies may have added them
   * @param warn tells the writer
   */
  public static JsonObject distinct(JsonObject object, boolean admitted, Consumer<String> warn) {
    JsonArray all = object.object("metadata").array(FIELD);
    if (all.size() < 2) {
      return object;
    }
    Set<JsonObject> distinct = new LinkedHashSet<>();
    List<String> again = new ArrayList<>();
    for (JsonObject owner : all.objects()) {
      if (!distinct.add(owner)) {
        again.add(owner.text("uid", ""));
      }
    }
    if (again.isEmpty()) {
      return object;
    }
    warn.accept(
        ".metadata.ownerReferences contains duplicate entries%s; API server dedups owner"
                .formatted(admitted ? " after mutating admission happens" : "")
            + " references in 1.20+, and may reject such requests as early as 1.24; please fix your"
            + " requests; duplicate UID(s) observed: "
            + String.join(", ", again));
    return Metadata.update(
        object, metadata -> metadata.with(FIELD, JsonArray.copyOf(List.copyOf(distinct))));
  }
}
