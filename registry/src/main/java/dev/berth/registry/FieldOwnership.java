package dev.berth.registry;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.kinds.resource.ZeroFields;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.ApplyResult;
import dev.berth.registry.apply.FieldManager;
import dev.berth.registry.apply.FieldSet;
import dev.berth.registry.apply.OwnedForm;
import dev.berth.registry.apply.ServerSideApply;
import dev.berth.registry.apply.Structure;
import dev.berth.registry.apply.Structures;
import dev.berth.registry.apply.UpdateTracker;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Who owns which fields of objects. A writer does not come to own what it cannot change on its
 * path: the status on the object's own path, and everything else on the status' path.
 */
final class FieldOwnership {
  private static final FieldSet STATUS = FieldSet.of("status");
  private static final FieldSet SPEC = FieldSet.of("spec");

  /** Whose specification never changes, and whose status has two paths. */
  private static final GroupKind SIGNING_REQUEST =
      new GroupKind("certificates.k8s.io", "CertificateSigningRequest");

  private static final FieldSet ALL_BUT_STATUS = SPEC.union(FieldSet.of("metadata"));

  /** What cannot be changed through the status' path, of kinds where it is more than usual. */
  private static final Map<GroupKind, FieldSet> OF_STATUS =
      Map.of(
          new GroupKind("", "Pod"),
          SPEC.union(FieldSet.of("metadata.deletionTimestamp"))
              .union(FieldSet.of("metadata.ownerReferences")),
          new GroupKind("apps", "Deployment"),
          SPEC.union(FieldSet.of("metadata.labels")),
          new GroupKind("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
          ALL_BUT_STATUS,
          new GroupKind("apiregistration.k8s.io", "APIService"),
          ALL_BUT_STATUS,
          new GroupKind("flowcontrol.apiserver.k8s.io", "FlowSchema"),
          ALL_BUT_STATUS,
          new GroupKind("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
          ALL_BUT_STATUS,
          new GroupKind("networking.k8s.io", "ServiceCIDR"),
          ALL_BUT_STATUS,
          new GroupKind("resource.k8s.io", "ResourceClaim"),
          ALL_BUT_STATUS,
          new GroupKind("storage.k8s.io", "VolumeAttachment"),
          ALL_BUT_STATUS);

  private final Supplier<Catalog> catalog;
  private final Structures structures = new Structures(Schemas.builtIn());

  /** As many as there are kinds, twice: with and without their status. */
  private final Map<Tracked, UpdateTracker> trackers = new ConcurrentHashMap<>();

  private record Tracked(GroupVersionKind kind, FieldSet ignored) {}

  /** Those of a kind that somebody defined, which live as long as its schema. */
  private record CustomTrackers(Map<FieldSet, UpdateTracker> byIgnored) {}

  /**
   * @param catalog tells in which other versions an object may be owned
   */
  FieldOwnership(Supplier<Catalog> catalog) {
    this.catalog = catalog;
  }

  private UpdateTracker custom(Resource resource, FieldSet ignored) {
    return resource
        .custom()
        .orElseThrow()
        .schema()
        .view(CustomTrackers.class, schema -> new CustomTrackers(new ConcurrentHashMap<>(2)))
        .byIgnored
        .computeIfAbsent(
            ignored,
            fields -> new UpdateTracker(structure(resource), fields, zero(resource.kind())));
  }

  /** A written object, with its writer's name on what changed; as it is if nobody says a name. */
  JsonObject track(
      Resource resource, JsonObject old, JsonObject written, WriteOptions options, Instant now) {
    if (options.fieldManager().isEmpty()) {
      return written;
    }
    FieldSet ignored = ignored(resource, options);
    UpdateTracker tracker =
        resource.custom().isPresent()
            ? custom(resource, ignored)
            : tracker(resource.kind(), ignored);
    return tracker.track(old, written, manager(resource, options), now, forms(resource, options));
  }

  private UpdateTracker tracker(GroupVersionKind kind, FieldSet ignored) {
    return trackers.computeIfAbsent(
        new Tracked(kind, ignored),
        tracked ->
            new UpdateTracker(structures.kind(tracked.kind), tracked.ignored, zero(tracked.kind)));
  }

  /** The same in the form that is served, of what is stored in another. */
  JsonObject trackServed(
      Resource resource, JsonObject old, JsonObject written, WriteOptions options, Instant now) {
    JsonObject filled = ZeroFields.builtIn().fill(written, resource.kind());
    return track(resource, old, filled, options, now);
  }

  /** What somebody sent that is answered and not stored, with the sender's name on all of it. */
  JsonObject trackSent(GroupVersionKind kind, JsonObject sent, WriteOptions options, Instant now) {
    FieldManager sender =
        new FieldManager(options.fieldManager(), kind.apiVersion(), options.subresource());
    return tracker(kind, FieldSet.EMPTY).track(JsonObject.EMPTY, sent, sender, now);
  }

  /** An object with a configuration applied to it; the object is empty if there is none. */
  ApplyResult apply(Resource resource, JsonObject old, Registry.Applied applied, Instant now) {
    WriteOptions options = applied.options();
    GroupVersionKind kind = resource.kind();
    return new ServerSideApply(
            structure(resource),
            ignored(resource, options),
            zero(kind),
            resource.custom().isPresent())
        .apply(
            new ServerSideApply.Request(
                old,
                applied.configuration(),
                manager(resource, options),
                applied.force(),
                now,
                merged -> resource.custom().isPresent() ? merged : stored(merged, old, kind),
                forms(resource, options)));
  }

  /** The forms of a resource's objects in the other versions that are served. */
  private Function<String, Optional<OwnedForm>> forms(Resource resource, WriteOptions options) {
    return version ->
        catalog.get().equivalents(resource).stream()
            .filter(other -> other.kind().apiVersion().equals(version))
            .findFirst()
            .map(other ->
                new OwnedForm(
                    structure(other),
                    ignored(other, options),
                    object -> resource.converted(object, other)));
  }

  /** What was merged, without what Kubernetes' own types do not tell from nothing. */
  private static JsonObject stored(JsonObject merged, JsonObject old, GroupVersionKind kind) {
    JsonObject shaped = Conforming.shapeMerged(merged, old, kind, Schemas.builtIn());
    return ZeroFields.builtIn().fill(shaped, old, kind);
  }

  private static JsonObject zero(GroupVersionKind kind) {
    return ZeroFields.builtIn().zero(kind);
  }

  private Structure structure(Resource resource) {
    return resource
        .custom()
        .map(custom -> structures.custom(custom.schema()))
        .orElseGet(() -> structures.kind(resource.kind()));
  }

  private static FieldManager manager(Resource resource, WriteOptions options) {
    return new FieldManager(
        options.fieldManager(), resource.kind().apiVersion(), options.subresource());
  }

  private static FieldSet ignored(Resource resource, WriteOptions options) {
    if (resource.groupKind().equals(SIGNING_REQUEST)) {
      return switch (options.subresource()) {
        case "" -> SPEC.union(STATUS);
        case Subresource.STATUS -> SPEC.union(FieldSet.of("status.conditions"));
        default -> SPEC.union(FieldSet.of("status.certificate"));
      };
    }
    if (options.subresource().equals(Subresource.STATUS)) {
      return resource.custom().isPresent()
          ? ALL_BUT_STATUS
          : OF_STATUS.getOrDefault(resource.groupKind(), SPEC);
    }
    return resource.hasStatus() ? STATUS : FieldSet.EMPTY;
  }
}
