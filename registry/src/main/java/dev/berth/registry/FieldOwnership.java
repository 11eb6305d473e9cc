package dev.berth.registry;

import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.kinds.resource.ZeroFields;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.ApplyResult;
import dev.berth.registry.apply.FieldManager;
import dev.berth.registry.apply.FieldSet;
import dev.berth.registry.apply.ServerSideApply;
import dev.berth.registry.apply.Structure;
import dev.berth.registry.apply.Structures;
import dev.berth.registry.apply.UpdateTracker;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who owns which fields of objects. A writer does not come to own what it cannot change on its
 * path: the status on the object's own path, and everything else on the status' path.
 */
final class FieldOwnership {
  private static final FieldSet STATUS = FieldSet.of("status");
  private static final FieldSet SPEC = FieldSet.of("spec");

  private final Structures structures = new Structures(Schemas.builtIn());

  /** As many as there are kinds, twice: with and without their status. */
  private final Map<Tracked, UpdateTracker> trackers = new ConcurrentHashMap<>();

  private record Tracked(GroupVersionKind kind, FieldSet ignored) {}

  /** Those of a kind that somebody defined, which live as long as its schema. */
  private record CustomTrackers(Map<FieldSet, UpdateTracker> byIgnored) {}

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
    if (resource.custom().isPresent()) {
      return custom(resource, ignored).track(old, written, manager(resource, options), now);
    }
    return trackers
        .computeIfAbsent(
            new Tracked(resource.kind(), ignored),
            tracked ->
                new UpdateTracker(
                    structures.kind(tracked.kind), tracked.ignored, zero(tracked.kind)))
        .track(old, written, manager(resource, options), now);
  }

  /** An object with a configuration applied to it; the object is empty if there is none. */
  ApplyResult apply(Resource resource, JsonObject old, Registry.Applied applied, Instant now) {
    WriteOptions options = applied.options();
    GroupVersionKind kind = resource.kind();
    return new ServerSideApply(structure(resource), ignored(resource, options), zero(kind))
        .apply(
            new ServerSideApply.Request(
                old,
                applied.configuration(),
                manager(resource, options),
                applied.force(),
                now,
                merged -> resource.custom().isPresent() ? merged : stored(merged, old, kind)));
  }

  /** What was merged, without what Kubernetes' own types do not tell from nothing. */
  private static JsonObject stored(JsonObject merged, JsonObject old, GroupVersionKind kind) {
    JsonObject shaped = Conforming.shape(merged, old, kind, Schemas.builtIn()).object();
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
    if (options.subresource().equals(Subresource.STATUS)) {
      return SPEC;
    }
    return resource.hasStatus() ? STATUS : FieldSet.EMPTY;
  }
}
