package dev.berth.registry;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.store.Store;

/**
 * The fields whose value finds objects without looking at all of them: {@code metadata.name} of
 * every resource, since keys end in it, and {@code spec.nodeName} of those that can be selected by
 * it, since every node's agent lists and watches its own pods.
 */
final class IndexedFields {
  static final String NAME = "metadata.name";
  static final String NODE_NAME = "spec.nodeName";

  private IndexedFields() {}

  /** Has the store index all resources that need it. */
  static void declare(Store store, Catalog catalog) {
    catalog.versions().stream()
        .flatMap(version -> catalog.resources(version).stream())
        .filter(IndexedFields::hasNodeName)
        .forEach(resource ->
            store.index(
                ObjectKeys.prefix(resource, ""),
                entry ->
                    resource.selectableField(NODE_NAME, StoredEncoding.tree(entry)).orElse("")));
  }

  /** Whether a resource is indexed by the name of a node. */
  static boolean hasNodeName(Resource resource) {
    return resource.isSelectable(NODE_NAME) && resource.storedAs().isEmpty();
  }
}
