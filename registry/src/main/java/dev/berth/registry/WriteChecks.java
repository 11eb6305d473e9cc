package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Failures;

/**
 * Checks what a writer says about the object that it means: its namespace, its revision, its UID.
 */
final class WriteChecks {
  private WriteChecks() {}

  /** The object in the namespace that the request names; it may name none itself. */
  static JsonObject placedIn(Resource resource, String namespace, JsonObject object) {
    String own = Metadata.of(object).namespace();
    if (!resource.isNamespaced() || own.equals(namespace)) {
      return object;
    }
    if (!own.isEmpty()) {
      throw Failures.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    return Metadata.update(object, metadata -> metadata.with("namespace", namespace));
  }

  /** A writer that names a revision or a UID means that one and no other. */
  static void checkPreconditions(Resource resource, JsonObject wanted, JsonObject old) {
    Metadata asked = Metadata.of(wanted);
    Metadata found = Metadata.of(old);
    String revision = asked.resourceVersion();
    if (!revision.isEmpty() && !revision.equals("0") && !revision.equals(found.resourceVersion())) {
      throw Failures.modified(resource.groupResource(), found.name());
    }
    checkPrecondition(resource, old, "UID", asked.uid(), found.uid());
  }

  static void checkPreconditions(Resource resource, JsonObject old, DeletionOptions options) {
    Metadata found = Metadata.of(old);
    checkPrecondition(resource, old, "UID", options.uid(), found.uid());
    checkPrecondition(
        resource, old, "ResourceVersion", options.resourceVersion(), found.resourceVersion());
  }

  private static void checkPrecondition(
      Resource resource, JsonObject object, String what, String asked, String found) {
    if (!asked.isEmpty() && !asked.equals(found)) {
      throw Failures.conflict(
          resource.groupResource(),
          Metadata.of(object).name(),
          "Precondition failed: %s in precondition: %s, %s in object meta: %s"
              .formatted(what, asked, what, found));
    }
  }
}
