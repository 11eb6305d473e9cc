package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.Store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The object that a request ended with.
 *
 * @param tree in the form in which it is stored
 * @param entry where it is stored; null after a dry run
 */
public record Stored(Resource resource, JsonObject tree, @Nullable Entry entry) {

  static Stored of(Resource resource, Entry entry) {
    return new Stored(resource, StoredEncoding.tree(resource, entry), entry);
  }

  /** The same object, as another resource serves it. */
  Stored servedBy(Resource other) {
    return new Stored(other, tree, entry);
  }

  /** The object in the form of its resource's version. */
  public JsonObject served() {
    return resource.served(tree);
  }

  /** The object as it is sent. */
  public byte[] bytes() {
    return entry == null
        ? JsonWriter.toBytes(resource.served(tree))
        : StoredEncoding.bytes(resource, entry, tree);
  }
}
