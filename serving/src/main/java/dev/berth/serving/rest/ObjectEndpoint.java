package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Listing;
import dev.berth.registry.OwnerReferences;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.serving.request.Query;
import dev.berth.store.Store.Entry;
import java.util.ArrayList;
import java.util.List;

/** Answers requests about single objects, and the deletion of many. */
final class ObjectEndpoint {
  private final Registry registry;
  private final CreatePermission creation;

  ObjectEndpoint(Registry registry, CreatePermission creation) {
    this.registry = registry;
    this.creation = creation;
  }

  void get(Call call) {
    var _ = call.representation();
    String revision = call.query().text("resourceVersion");
    RequestOptions.checkRevision(revision);
    registry.awaitRecent(revision);
    RequestOptions.checkRevision(revision, registry.revision());
    Stored found = registry.get(call.resource(), call.name());
    call.respond(200, Rendering.ofOne(call, registry.now()), found);
  }

  void create(Call call) {
    Rendering rendering = Rendering.ofOne(call, registry.now());
    WriteOptions options = RequestOptions.of(call, RequestOptions.CREATE);
    JsonObject object = ownedOnce(call);
    call.concerns(object.object("metadata").text("name", ""));
    Stored created = registry.create(call.resource(), call.namespace(), object, options);
    call.concerns(Metadata.of(created.tree()).name());
    call.respond(201, rendering, created);
  }

  /** The object that is sent, with each of its owners once. */
  private static JsonObject ownedOnce(Call call) {
    JsonObject object = RequestBodies.object(call, call.resource().kind());
    return OwnerReferences.distinct(object, false, call::warn);
  }

  void update(Call call) {
    Rendering rendering = Rendering.ofOne(call, registry.now());
    WriteOptions options = RequestOptions.of(call, RequestOptions.UPDATE);
    Resource resource = call.resource();
    JsonObject object = ownedOnce(call);
    Registry.checkName(object, call.name());
    boolean creates =
        resource.createsOnUpdate()
            && call.subresource().isEmpty()
            && Metadata.of(object).resourceVersion().isEmpty()
            && registry.find(resource, call.name()).isEmpty();
    if (creates) {
      creation.check(call);
      Stored created = registry.create(resource, call.namespace(), object, options);
      call.respond(201, rendering, created);
      return;
    }
    call.respond(200, rendering, registry.update(resource, call.name(), object, options));
  }

  void delete(Call call) {
    Rendering rendering = Rendering.ofOne(call, registry.now());
    JsonObject sent = RequestBodies.deleteOptions(call);
    DeletionOptions options = deleteOptions(call, sent);
    if (options.propagation() == null && call.resource().orphansByDefault()) {
      call.warn(
          "child pods are preserved by default when %s are deleted; set"
                  .formatted(call.resource().plural())
              + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
              + " suppress this warning");
    }
    Registry.Deleted deleted = registry.delete(call.resource(), call.name(), options);
    Stored object = deleted.object();
    if (deleted.gone() && !call.resource().showsDeleted()) {
      Metadata metadata = Metadata.of(object.tree());
      call.respond(
          Status.success(
              new Status.Details(
                  metadata.name(),
                  call.resource().kind().group(),
                  call.resource().plural(),
                  metadata.uid(),
                  List.of(),
                  0)));
    } else {
      call.respond(waitsForDependents(deleted, sent) ? 202 : 200, rendering, object);
    }
  }

  /** Who asks in the older way that dependents go, too, hears if that is still to come. */
  private static boolean waitsForDependents(Registry.Deleted deleted, JsonObject options) {
    return !deleted.gone()
        && options.has("orphanDependents")
        && !options.flag("orphanDependents", true);
  }

  /**
   * Deletes all that is selected, each as if it were deleted by itself, and answers with what it
   * was. Several are at once, so that the store can make many durable together.
   */
  void deleteCollection(Call call) {
    Rendering rendering = Rendering.ofList(call, registry.now());
    Resource resource = call.resource();
    DeletionOptions options = deleteOptions(call, RequestBodies.deleteOptions(call));
    ListOptions selected = Selections.list(call);
    Selections.awaitRecent(call, registry);
    Listing.Page page = registry.list(resource, selected);
    List<Runnable> deletions = new ArrayList<>(page.entries().size());
    for (Entry entry : page.entries()) {
      deletions.add(() -> deleteIfThere(resource, entry, options));
    }
    registry.time().together(deletions);
    ListEndpoint.send(call, rendering, page);
  }

  private void deleteIfThere(Resource resource, Entry entry, DeletionOptions options) {
    try {
      registry.delete(resource, ObjectName.of(StoredEncoding.tree(entry)), options);
    } catch (StatusException e) {
      if (e.status().code() != 404) {
        throw e;
      }
    }
  }

  private static DeletionOptions deleteOptions(Call call, JsonObject body) {
    Query query = call.query();
    DeletionOptions options;
    try {
      options = DeletionOptions.read(body);
    } catch (JsonException e) {
      throw Failures.badRequest("DeleteOptions: " + e.getMessage());
    }
    if (body.isEmpty()) {
      var grace = query.integer("gracePeriodSeconds");
      options = grace.isPresent() ? options.grace(grace.getAsLong()) : options;
      DeletionOptions.Propagation propagation =
          DeletionOptions.propagation(query.text("propagationPolicy"));
      options = propagation == null ? options : options.propagation(propagation);
    }
    options = options.by(call.user()).reporting(call.notices());
    return RequestOptions.dryRun(call, RequestOptions.DELETE) ? options.rehearsed() : options;
  }
}
