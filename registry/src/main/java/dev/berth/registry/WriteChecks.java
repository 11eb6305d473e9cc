package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

/**
 * Checks what a writer says about the object that it means: its namespace, its revision, its UID.
 */
final class WriteChecks {
  /** What is kept until its content is gone, and deleted by code of its own in Kubernetes. */
  private static final Set<GroupKind> KEPT_FIRST =
      Set.of(
          new GroupKind("", "Namespace"),
          new GroupKind("apiextensions.k8s.io", "CustomResourceDefinition"));

  private static final int LONGEST_REVISION = 20;

  private WriteChecks() {}

  /**
   * The object in the namespace that the request names; it may name none itself. What is in no
   * namespace loses the one that it names.
   */
  static JsonObject placedIn(Resource resource, String namespace, JsonObject object) {
    String own = Metadata.of(object).namespace();
    if (!resource.isNamespaced()) {
      return own.isEmpty()
          ? object
          : Metadata.update(object, metadata -> metadata.without("namespace"));
    }
    if (own.equals(namespace)) {
      return object;
    }
    if (!own.isEmpty()) {
      throw Failures.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    return Metadata.update(object, metadata -> metadata.with("namespace", namespace));
  }

  /**
   * A writer that names a revision or a UID means that one and no other; a patch that names a UID
   * would change it. Some resources insist that a revision is named.
   */
  static void checkPreconditions(
      Resource resource, JsonObject wanted, JsonObject old, boolean isPatch) {
    Metadata asked = Metadata.of(wanted);
    Metadata found = Metadata.of(old);
    if (!isPatch && !asked.uid().isEmpty() && !asked.uid().equals(found.uid())) {
      throw Failures.conflict(
          resource.shownResource(),
          found.name(),
          "StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg:"
                  .formatted(UpstreamKeys.of(resource, found))
              + " Precondition failed: UID in precondition: %s, UID in object meta: %s"
                  .formatted(asked.uid(), found.uid()));
    }
    String revision = asked.resourceVersion();
    if (!revision.isEmpty()) {
      checkNumber(revision);
    }
    boolean unnamed = revision.isEmpty() || revision.equals("0");
    if (unnamed && resource.insistsOnRevision()) {
      GroupResource what = resource.shownResource();
      throw Failures.invalid(
          new GroupKind(what.group(), what.resource()),
          found.name(),
          List.of(
              FieldError.invalid(
                  "metadata.resourceVersion", 0L, "must be specified for an update")));
    }
    if (!unnamed && !revision.equals(found.resourceVersion())) {
      throw Failures.modified(resource.shownResource(), found.name());
    }
  }

  /** Whether a text names a revision: zero names any, and what is no number names none. */
  static boolean namesRevision(String text) {
    try {
      return Long.parseUnsignedLong(text) != 0;
    } catch (NumberFormatException _) {
      return false;
    }
  }

  /** What is no number is not compared; Kubernetes counts that as a failure of its own. */
  private static void checkNumber(String revision) {
    boolean digits = true;
    for (int i = 0; i < revision.length() && digits; i++) {
      digits = revision.charAt(i) >= '0' && revision.charAt(i) <= '9';
    }
    boolean tooLarge = digits && isTooLarge(revision);
    if (!digits || tooLarge) {
      throw Failures.unknown(
          "strconv.ParseUint: parsing %s: %s"
              .formatted(
                  JsonWriter.toText(revision), tooLarge ? "value out of range" : "invalid syntax"));
    }
  }

  private static boolean isTooLarge(String digits) {
    return digits.length() > LONGEST_REVISION || new BigInteger(digits).bitLength() > Long.SIZE;
  }

  static void checkPreconditions(Resource resource, JsonObject old, DeletionOptions options) {
    Metadata found = Metadata.of(old);
    boolean isKeptFirst = KEPT_FIRST.contains(resource.groupKind());
    if (!options.uid().isEmpty() && !options.uid().equals(found.uid())) {
      throw isKeptFirst
          ? failed(resource, found, "UID", options.uid(), found.uid())
          : refused(
              resource,
              found,
              "the UID in the precondition (%s) does not match the UID in record (%s). The object"
                      .formatted(options.uid(), found.uid())
                  + " might have been deleted and then recreated");
    }
    String revision = options.resourceVersion();
    if (!revision.isEmpty() && !revision.equals(found.resourceVersion())) {
      throw isKeptFirst
          ? failed(resource, found, "ResourceVersion", revision, found.resourceVersion())
          : refused(
              resource,
              found,
              "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
                      .formatted(revision)
                  + " record (%s). The object might have been modified"
                      .formatted(found.resourceVersion()));
    }
  }

  private static StatusException failed(
      Resource resource, Metadata found, String what, String wanted, String is) {
    return Failures.conflict(
        resource.shownResource(),
        found.name(),
        "Precondition failed: %1$s in precondition: %2$s, %1$s in object meta: %3$s"
            .formatted(what, wanted, is));
  }

  /** Kubernetes names the kind here, in the place of the resource. */
  private static StatusException refused(Resource resource, Metadata found, String why) {
    GroupKind kind = resource.stored().groupKind();
    GroupResource what = new GroupResource(kind.group(), kind.kind());
    return Failures.conflict(what, found.name(), why);
  }
}
