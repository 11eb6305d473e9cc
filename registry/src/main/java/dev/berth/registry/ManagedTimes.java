package dev.berth.registry;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * The times at which the owners of fields wrote last. They alone are no change: whoever applies
 * again what is there already, in another spelling perhaps, writes nothing.
 */
final class ManagedTimes {
  private static final String METADATA = "metadata";
  private static final String ENTRIES = "managedFields";

  private ManagedTimes() {}

  /**
   * An object with the times of what it replaces, if nothing else differs; else as it is. Most
   * writes change something that is not metadata, and are found out by that.
   */
  static JsonObject kept(JsonObject object, JsonObject old) {
    if (!object.without(METADATA).equals(old.without(METADATA))) {
      return object;
    }
    JsonArray now = object.object(METADATA).array(ENTRIES);
    JsonArray before = old.object(METADATA).array(ENTRIES);
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
