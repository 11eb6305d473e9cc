package dev.berth.registry;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.store.Store;
import java.util.Optional;

/**
 * Fills a store with objects as they are, before a server opens it: nothing is checked, and uids
 * and times stay what they were.
 */
public final class StoreContent {
  private final Catalog catalog;
  private final Store store;

  public StoreContent(Catalog catalog, Store store) {
    this.catalog = catalog;
    this.store = store;
  }

  /**
   * Puts an object in its place, whatever is there.
   *
   * @param plural the resource that it belongs to
   * @return whether there is such a resource in the version of the object
   */
  public boolean put(String plural, JsonObject object) {
    GroupVersion version = GroupVersion.parse(object.text("apiVersion", ""));
    Optional<Resource> known = catalog.find(version.resource(plural));
    known.ifPresent(resource -> {
      // An update would add defaults that another version did not have: they are there at once.
      JsonObject whole =
          Preparation.filled(resource, resource.rules().defaults(object), JsonObject.EMPTY);
      JsonObject stored = resource.write(whole);
      store.put(
          ObjectKeys.of(resource, ObjectName.of(object)),
          StoredEncoding.encode(stored),
          Store.ANY,
          StoredEncoding.treeOf(stored));
    });
    return known.isPresent();
  }
}
