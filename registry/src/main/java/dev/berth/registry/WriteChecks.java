package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.List;

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

  /**
   * A writer that names a revision or a UID means that one and no other. Some resources insist that
   * it does.
   */
  static void checkPreconditions(Resource resource, JsonObject wanted, JsonObject old) {
    Metadata asked = Metadata.of(wanted);
    Metadata found = Metadata.of(old);
    if (!asked.uid().isEmpty() && !asked.uid().equals(found.uid())) {
      throw Failures.conflict(
          resource.groupResource(),
          found.name(),
          "StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg:"
                  .formatted(UpstreamKeys.of(resource, found))
              + " Precondition failed: UID in precondition: %s, UID in object meta: %s"
                  .formatted(asked.uid(), found.uid()));
    }
    String revision = asked.resourceVersion();
    boolean unnamed = revision.isEmpty() || revision.equals("0");
    if (unnamed && resource.insistsOnRevision()) {
      GroupResource what = resource.groupResource();
      throw Failures.invalid(
          new GroupKind(what.group(), what.resource()),
          found.name(),
          List.of(
              FieldError.invalid(
                  "metadata.resourceVersion", 0L, "must be specified for an update")));
    }
    if (!unnamed && !revision.equals(found.resourceVersion())) {
      throw Failures.modified(resource.groupResource(), found.name());
    }
  }

  static void checkPreconditions(Resource resource, JsonObject old, DeletionOptions options) {
    Metadata found = Metadata.of(old);
    if (!options.uid().isEmpty() && !options.uid().equals(found.uid())) {
      if (resource.rules().isHeld(old)) {
        throw Failures.conflict(
            resource.groupResource(),
            found.name(),
            "Precondition failed: UID in precondition: %s, UID in object meta: %s"
                .formatted(options.uid(), found.uid()));
      }
      throw refused(
          resource,
          found,
          "the UID in the precondition (%s) does not match the UID in record (%s). The object might"
                  .formatted(options.uid(), found.uid())
              + " have been deleted and then recreated");
    }
    String revision = options.resourceVersion();
    if (!revision.isEmpty() && !revision.equals(found.resourceVersion())) {
      throw refused(
          resource,
          found,
          "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
                  .formatted(revision)
              + " record (%s). The object might have been modified"
                  .formatted(found.resourceVersion()));
    }
  }

  /** Kubernetes names the kind here, in the place of the resource. */
  private static StatusException refused(Resource resource, Metadata found, String why) {
    GroupResource what = new GroupResource(resource.kind().group(), resource.kind().kind());
    return Failures.conflict(what, found.name(), why);
  }
}
