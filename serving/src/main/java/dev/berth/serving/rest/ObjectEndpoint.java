package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Listing;
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
  static final GroupKind OPTIONS = new GroupKind("meta.k8s.io", "PatchOptions");

  private static final int LONGEST_MANAGER = 128;

  private final Registry registry;

  ObjectEndpoint(Registry registry) {
    this.registry = registry;
  }

  void get(Call call) {
    Rendering rendering = Rendering.of(call, registry.now());
    call.respond(200, rendering, registry.get(call.resource(), call.name()));
  }

  void create(Call call) {
    Rendering rendering = Rendering.of(call, registry.now());
    JsonObject object = RequestBodies.object(call, call.resource().kind());
    call.concerns(object.object("metadata").text("name", ""));
    Stored created = registry.create(call.resource(), call.namespace(), object, writeOptions(call));
    call.concerns(Metadata.of(created.tree()).name());
    call.respond(201, rendering, created);
  }

  void update(Call call) {
    Rendering rendering = Rendering.of(call, registry.now());
    Resource resource = call.resource();
    JsonObject object = RequestBodies.object(call, resource.kind());
    boolean creates =
        resource.createsOnUpdate()
            && call.subresource().isEmpty()
            && Metadata.of(object).resourceVersion().isEmpty()
            && registry.find(resource, call.name()).isEmpty();
    if (creates) {
      Stored created = registry.create(resource, call.namespace(), object, writeOptions(call));
      call.respond(201, rendering, created);
      return;
    }
    Stored updated = registry.update(resource, call.name(), object, writeOptions(call));
    call.respond(200, rendering, updated);
  }

  void delete(Call call) {
    Rendering rendering = Rendering.of(call, registry.now());
    DeletionOptions options = deleteOptions(call);
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
      call.respond(200, rendering, object);
    }
  }

  /**
   * Deletes all that is selected, each as if it were deleted by itself. Several are at once, so
   * that the store can make many durable together.
   */
  void deleteCollection(Call call) {
    Resource resource = call.resource();
    DeletionOptions options = deleteOptions(call);
    Listing.Page page = registry.list(resource, ListOptions.of(Selections.selection(call)));
    List<Runnable> deletions = new ArrayList<>(page.entries().size());
    for (Entry entry : page.entries()) {
      deletions.add(() -> deleteIfThere(resource, entry, options));
    }
    registry.time().together(deletions);
    call.respond(Status.success(Status.Details.of("", resource.kind().group(), resource.plural())));
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

  private static DeletionOptions deleteOptions(Call call) {
    Query query = call.query();
    JsonObject body = RequestBodies.deleteOptions(call);
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
    return dryRun(call) ? options.rehearsed() : options;
  }

  static WriteOptions writeOptions(Call call) {
    return new WriteOptions(
        dryRun(call), call.subresource(), fieldManager(call), call.user(), call.notices());
  }

  /** Who writes: the name that the client gives, or the first word of how it calls itself. */
  private static String fieldManager(Call call) {
    String name = call.query().text("fieldManager");
    if (name.length() > LONGEST_MANAGER) {
      throw Failures.invalid(
          OPTIONS,
          "",
          List.of(
              new FieldError(
                  FieldError.Reason.TOO_LONG,
                  "fieldManager",
                  null,
                  "may not be more than " + LONGEST_MANAGER + " bytes")));
    }
    if (!name.isEmpty()) {
      return name;
    }
    String agent = call.exchange().header("User-Agent").orElse("unknown");
    int slash = agent.indexOf('/');
    String word = slash < 0 ? agent : agent.substring(0, slash);
    return word.length() > LONGEST_MANAGER ? word.substring(0, LONGEST_MANAGER) : word;
  }

  private static boolean dryRun(Call call) {
    String text = call.query().text("dryRun");
    if (!text.isEmpty() && !text.equals("All")) {
      throw Failures.invalid(
          OPTIONS, "", List.of(FieldError.notSupported("dryRun", text, List.of("All"))));
    }
    return !text.isEmpty();
  }
}
