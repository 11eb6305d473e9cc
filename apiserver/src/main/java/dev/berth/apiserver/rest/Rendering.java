package dev.berth.apiserver.rest;

import dev.berth.apiserver.registry.Stored;
import dev.berth.apiserver.registry.StoredForm;
import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.status.Failures;
import dev.berth.apiserver.table.Table;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.Store.Entry;
import java.time.Instant;
import java.util.List;

/** Writes objects in the form that a client wants. */
record Rendering(Resource resource, Representation form, Table.Include include, Instant now) {

  static Rendering of(Call call, Instant now) {
    Representation form = Representation.negotiate(call.exchange().headers("Accept"));
    return new Rendering(call.resource(), form, include(call.query().text("includeObject")), now);
  }

  private static Table.Include include(String text) {
    return switch (text) {
      case "", "Metadata" -> Table.Include.METADATA;
      case "None" -> Table.Include.NONE;
      case "Object" -> Table.Include.OBJECT;
      default ->
          throw Failures.badRequest(
              "includeObject: \"%s\" is none of None, Metadata, Object".formatted(text));
    };
  }

  /** The same at another time: a table of a later event. */
  Rendering at(Instant later) {
    return new Rendering(resource, form, include, later);
  }

  byte[] object(Stored stored) {
    return switch (form.form()) {
      case OBJECTS -> stored.bytes();
      case TABLE -> JsonWriter.toBytes(singleTable(stored.tree(), true));
      case METADATA -> JsonWriter.toBytes(Table.partial(stored.tree(), form.apiVersion()));
    };
  }

  /** An object of a watch, as it was at a revision. */
  byte[] watched(Entry entry, long revision, boolean first) {
    return switch (form.form()) {
      case OBJECTS -> StoredForm.bytes(resource, entry, revision);
      case TABLE -> JsonWriter.toBytes(singleTable(treeAt(entry, revision), first));
      case METADATA ->
          JsonWriter.toBytes(Table.partial(treeAt(entry, revision), form.apiVersion()));
    };
  }

  private static JsonObject treeAt(Entry entry, long revision) {
    JsonObject tree = StoredForm.tree(entry);
    return Metadata.update(tree, m -> m.with("resourceVersion", Long.toString(revision)));
  }

  /** Rows to show, with the metadata of their list. */
  byte[] table(List<JsonObject> objects, JsonObject listMetadata) {
    return JsonWriter.toBytes(table().of(objects, listMetadata, true));
  }

  private JsonObject singleTable(JsonObject object, boolean withDefinitions) {
    JsonObject metadata = JsonObject.of("resourceVersion", Metadata.of(object).resourceVersion());
    return table().of(List.of(object), metadata, withDefinitions);
  }

  private Table table() {
    return new Table(resource.columns(), form.apiVersion(), include, now);
  }

  /** An object that says only how far a watch is. */
  byte[] bookmark(long revision, boolean endsInitialEvents) {
    JsonObject.Builder metadata =
        new JsonObject.Builder().put("resourceVersion", Long.toString(revision));
    if (endsInitialEvents) {
      metadata.put("annotations", JsonObject.of("k8s.io/initial-events-end", "true"));
    }
    JsonObject object =
        new JsonObject.Builder()
            .put("kind", resource.kind().kind())
            .put("apiVersion", resource.kind().apiVersion())
            .put("metadata", metadata.build())
            .build();
    return JsonWriter.toBytes(
        switch (form.form()) {
          case OBJECTS -> object;
          case METADATA -> Table.partial(object, form.apiVersion());
          case TABLE ->
              new Table(List.of(), form.apiVersion(), include, now)
                  .of(List.of(), metadata.build(), false);
        });
  }
}
