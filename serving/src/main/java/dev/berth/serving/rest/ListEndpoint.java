package dev.berth.serving.rest;

import dev.berth.kinds.resource.CustomKind;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Listing;
import dev.berth.registry.Registry;
import dev.berth.registry.StoredEncoding;
import dev.berth.serving.request.Representation;
import dev.berth.serving.wire.WireFormat;
import dev.berth.store.Store.Entry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Answers lists. A list is its head, and the stored bytes of one object after the other; a large
 * one is sent piece by piece, so that it is nowhere in memory as a whole.
 */
final class ListEndpoint {
  private final Registry registry;

  ListEndpoint(Registry registry) {
    this.registry = registry;
  }

  void list(Call call) {
    Rendering rendering = Rendering.ofList(call, registry.now());
    ListOptions options = Selections.list(call);
    Selections.awaitRecent(call, registry);
    send(call, rendering, registry.list(call.resource(), options));
  }

  /** Answers with a page, in the representation that the client wants. */
  static void send(Call call, Rendering rendering, Listing.Page page) {
    Resource resource = call.resource();
    // While a long list is being sent, it is too late to refuse it.
    page.entries().forEach(StoredEncoding::checkReadable);
    if (call.local() != null) {
      call.respond(page);
      return;
    }
    JsonObject metadata = metadata(page);
    Representation form = rendering.form();
    Optional<List<JsonObject>> changed =
        resource.custom().flatMap(custom -> changed(custom, page.entries()));
    if (changed.isPresent()) {
      call.respond(200, list(resource, rendering, changed.get(), metadata));
      return;
    }
    switch (form.form()) {
      case OBJECTS -> {
        JsonObject empty = empty(resource.listKind(), resource.kind().apiVersion(), metadata);
        send(
            call,
            empty,
            page.entries(),
            entry -> resource.served(StoredEncoding.tree(resource, entry)),
            entry -> StoredEncoding.itemBytes(resource, entry));
      }
      case METADATA -> {
        Function<Entry, JsonObject> partial =
            entry ->
                Table.partial(
                    resource.served(StoredEncoding.tree(resource, entry)), form.apiVersion());
        JsonObject empty = empty("PartialObjectMetadataList", form.apiVersion(), metadata);
        if (page.entries().isEmpty() && form.format() != WireFormat.PROTOBUF) {
          call.respond(200, empty.with("items", JsonNull.NULL));
          return;
        }
        send(
            call,
            empty,
            page.entries(),
            partial,
            entry -> JsonWriter.toBytes(partial.apply(entry)));
      }
      case TABLE ->
          call.respond(
              200,
              rendering.table(
                  page.entries().stream()
                      .map(entry -> StoredEncoding.tree(resource, entry))
                      .toList(),
                  metadata));
    }
  }

  /**
   * The objects of a custom resource, if any of them is stored in another form than it has now. All
   * of them are converted at once.
   */
  @SuppressWarnings("ReferenceEquality") // what needs no change is the same object
  private static Optional<List<JsonObject>> changed(CustomKind custom, List<Entry> entries) {
    List<JsonObject> stored = entries.stream().map(StoredEncoding::tree).toList();
    List<JsonObject> read = custom.readAll(stored);
    for (int i = 0; i < stored.size(); i++) {
      if (stored.get(i) != read.get(i)) {
        return Optional.of(read);
      }
    }
    return Optional.empty();
  }

  private static JsonObject list(
      Resource resource, Rendering rendering, List<JsonObject> objects, JsonObject metadata) {
    String version = rendering.form().apiVersion();
    return switch (rendering.form().form()) {
      case OBJECTS ->
          empty(resource.listKind(), resource.kind().apiVersion(), metadata)
              .with("items", JsonArray.copyOf(objects));
      case METADATA ->
          empty("PartialObjectMetadataList", version, metadata)
              .with(
                  "items",
                  JsonArray.copyOf(
                      objects.stream().map(object -> Table.partial(object, version)).toList()));
      case TABLE -> rendering.table(objects, metadata);
    };
  }

  /** A list as a whole. */
  static JsonObject tree(Resource resource, Listing.Page page) {
    List<JsonObject> items =
        page.entries().stream()
            .map(entry -> resource.served(StoredEncoding.tree(resource, entry)))
            .toList();
    return empty(resource.listKind(), resource.kind().apiVersion(), metadata(page))
        .with("items", JsonArray.copyOf(items));
  }

  static JsonObject metadata(Listing.Page page) {
    JsonObject.Builder metadata =
        new JsonObject.Builder().put("resourceVersion", Long.toString(page.revision()));
    if (!page.continueToken().isEmpty()) {
      metadata.put("continue", page.continueToken());
      if (page.remaining() > 0) {
        metadata.put("remainingItemCount", page.remaining());
      }
    }
    return metadata.build();
  }

  private static JsonObject empty(String kind, String apiVersion, JsonObject metadata) {
    return new JsonObject.Builder()
        .put("kind", kind)
        .put("apiVersion", apiVersion)
        .put("metadata", metadata)
        .put("items", JsonArray.EMPTY)
        .build();
  }

  private static void send(
      Call call,
      JsonObject empty,
      List<Entry> entries,
      Function<Entry, JsonObject> tree,
      Function<Entry, byte[]> json) {
    switch (call.representation().format()) {
      case JSON -> ListBody.json(empty, entries, json).send(call);
      case PROTOBUF -> ListBody.protobuf(empty, entries, tree).send(call);
      case YAML -> {
        List<JsonObject> items =
            entries.stream()
                .map(entry -> tree.apply(entry).without("kind").without("apiVersion"))
                .toList();
        call.respond(200, empty.with("items", JsonArray.copyOf(items)));
      }
    }
  }
}
