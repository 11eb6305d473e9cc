package dev.berth.registry;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * The times at which the owners of fields wrote last. They alone are no change: whoever applies
 * again what is there already, in another spelling perhaps, writes nothing.
 */
final class ManagedTimes {
  private static final String ENTRIES = "managedFields";

  private ManagedTimes() {}

  /** An object with the times of what it replaces, if nothing else differs; else as it is. */
  static JsonObject kept(JsonObject object, JsonObject old) {
    JsonArray now = object.object("metadata").array(ENTRIES);
    JsonArray before = old.object("metadata").array(ENTRIES);
    if (now.equals(before) || !withoutTimes(now).equals(withoutTimes(before))) {
      return object;
    }
    JsonObject reverted = Metadata.update(object, metadata -> metadata.with(ENTRIES, before));
    return reverted.equals(old) ? reverted : object;
  }

  private static JsonArray withoutTimes(JsonArray entries) {
    return entries.mapObjects(entry -> entry.without("time"));
  }
}
