package dev.berth.apiserver.registry;

import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.status.Failures;
import dev.berth.apiserver.status.Status;
import dev.berth.apiserver.status.StatusException;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What namespaces mean for what is in them: nothing is created in one that is not there or that is
 * going away, and those that everything relies on do not go away.
 */
final class Namespaces {
  /** Those that are there from the start. */
  static final List<String> INITIAL =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

  private final Store store;
  private final Resource namespaces;

  Namespaces(Store store, Resource namespaces) {
    this.store = store;
    this.namespaces = namespaces;
  }

  void checkCreate(Resource resource, ObjectName name) {
    if (!resource.isNamespaced()) {
      return;
    }
    String namespace = name.namespace();
    Optional<Entry> entry = store.get(ObjectKeys.of(namespaces, ObjectName.of(namespace)));
    if (entry.isEmpty()) {
      throw Failures.notFound(namespaces.groupResource(), namespace);
    }
    JsonObject tree = StoredForm.tree(entry.get());
    if (Metadata.of(tree).isBeingDeleted()) {
      throw terminating(resource, name);
    }
  }

  private static StatusException terminating(Resource resource, ObjectName name) {
    String namespace = name.namespace();
    Status plain =
        Failures.forbidden(
                resource.groupResource(),
                name.name(),
                "unable to create new content in namespace "
                    + namespace
                    + " because it is being terminated")
            .status();
    Status.Cause cause =
        new Status.Cause(
            "NamespaceTerminating",
            "namespace " + namespace + " is being terminated",
            "metadata.namespace");
    return new StatusException(
        new Status(
            plain.code(),
            plain.reason(),
            plain.message(),
            new Status.Details(
                name.name(), resource.kind().group(), resource.plural(), "", List.of(cause), 0)));
  }

  void checkDelete(Resource resource, String name) {
    if (resource == namespaces && IMMORTAL.contains(name)) {
      throw Failures.forbidden(resource.groupResource(), name, "this namespace may not be deleted");
    }
  }
}
