package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.Guard;
import java.util.Objects;
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

  /** What would have been stored, as it would be read again. */
  static Stored unwritten(Resource resource, JsonObject tree) {
    return new Stored(resource, resource.read(resource.write(tree)), null);
  }

  /** The same object, as another resource serves it. */
  Stored servedBy(Resource other) {
    return new Stored(other, tree, entry);
  }

  /** Holds until the object is written again, or deleted. */
  public Guard unchanged() {
    Entry written = Objects.requireNonNull(entry, "a dry run writes nothing");
    return new Guard(written.key(), now -> now.revision() == written.revision());
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
