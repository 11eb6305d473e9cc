package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.Listing;
import dev.berth.registry.Registry;
import dev.berth.registry.StoredEncoding;
import dev.berth.serving.request.Representation;
import dev.berth.store.Store.Entry;
import java.util.List;
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
    Rendering rendering = Rendering.of(call, registry.now());
    Resource resource = call.resource();
    Listing.Page page = registry.list(resource, Selections.list(call));
    // While a long list is being sent, it is too late to refuse it.
    page.entries().forEach(StoredEncoding::checkReadable);
    if (call.local() != null) {
      call.respond(page);
      return;
    }
    JsonObject metadata = metadata(page);
    Representation form = rendering.form();
    switch (form.form()) {
      case OBJECTS -> {
        JsonObject empty =
            empty(resource.kind().kind() + "List", resource.kind().apiVersion(), metadata);
        send(
            call,
            empty,
            page.entries(),
            StoredEncoding::tree,
            entry -> StoredEncoding.itemBytes(resource, entry));
      }
      case METADATA -> {
        Function<Entry, JsonObject> partial =
            entry -> Table.partial(resource.served(StoredEncoding.tree(entry)), form.apiVersion());
        send(
            call,
            empty("PartialObjectMetadataList", form.apiVersion(), metadata),
            page.entries(),
            partial,
            entry -> JsonWriter.toBytes(partial.apply(entry)));
      }
      case TABLE ->
          call.respond(
              200,
              rendering.table(
                  page.entries().stream().map(StoredEncoding::tree).toList(), metadata));
    }
  }

  /** A list as a whole. */
  static JsonObject tree(Resource resource, Listing.Page page) {
    List<JsonObject> items =
        page.entries().stream().map(entry -> resource.served(StoredEncoding.tree(entry))).toList();
    return empty(resource.kind().kind() + "List", resource.kind().apiVersion(), metadata(page))
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
