package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.status.Failures;
import dev.berth.serving.request.Representation;
import dev.berth.serving.wire.WireFormat;
import dev.berth.store.Store.Entry;
import dev.berth.wire.Protobuf;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Writes objects in the representation that a client asked for. Plain objects in JSON are the bytes
 * that are stored; everything else is made from the tree.
 */
record Rendering(Resource resource, Representation form, Table.Include include, Instant now) {
  private static final String TAIL = "}\n";

  static Rendering of(Call call, Instant now) {
    Representation form = call.representation();
    return new Rendering(call.resource(), form, include(call, form), now);
  }

  /** The same of a single object, which is no list of metadata. */
  static Rendering ofOne(Call call, Instant now) {
    Representation form = call.representation();
    if (form.as().equals("PartialObjectMetadataList")) {
      throw Failures.notAcceptable(
          "you requested PartialObjectMetadataList, but the requested object is not a list (%s)"
              .formatted(goType(call.resource(), "")));
    }
    return of(call, now);
  }

  /** The same of a list. */
  static Rendering ofList(Call call, Instant now) {
    Representation form = call.representation();
    if (form.as().equals("PartialObjectMetadata")) {
      throw Failures.notAcceptable(
          "you requested PartialObjectMetadata, but the requested object is a list (%s)"
              .formatted(goType(call.resource(), "List")));
    }
    return of(call, now);
  }

  /** What Kubernetes calls objects of a kind in its own code. */
  private static String goType(Resource resource, String suffix) {
    if (resource.custom().isPresent()) {
      return "*unstructured.Unstructured" + suffix;
    }
    String group = resource.stored().kind().group();
    int dot = group.indexOf('.');
    String first = dot < 0 ? group : group.substring(0, dot);
    return "*%s.%s%s".formatted(first.isEmpty() ? "core" : first, resource.kind().kind(), suffix);
  }

  /** Only a table has rows that come with objects. */
  static Table.Include include(Call call, Representation form) {
    String text =
        form.form() == Representation.Form.TABLE ? call.query().text("includeObject") : "";
    return switch (text) {
      case "", "Metadata" -> Table.Include.METADATA;
      case "None" -> Table.Include.NONE;
      case "Object" -> Table.Include.OBJECT;
      default ->
          throw Failures.badRequest(
              "Unable to convert to Table as requested: includeObject: Invalid value: \"%s\": must be"
                      .formatted(text)
                  + " 'Metadata', 'Object', 'None', or empty");
    };
  }

  /** The same at another time: a table of a later event. */
  Rendering at(Instant later) {
    return new Rendering(resource, form, include, later);
  }

  private boolean isStoredForm() {
    return form.form() == Representation.Form.OBJECTS && form.format() == WireFormat.JSON;
  }

  byte[] object(Stored stored) {
    return isStoredForm() ? stored.bytes() : form.format().bytes(shown(stored.tree(), true));
  }

  /** An event of a watch about an object, as it was at a revision. */
  byte[] event(String type, Entry entry, long revision, boolean first) {
    if (isStoredForm()) {
      return StoredEncoding.bytes(head(type), resource, entry, revision, TAIL);
    }
    JsonObject tree =
        Metadata.update(
            StoredEncoding.tree(resource, entry),
            m -> m.with("resourceVersion", Long.toString(revision)));
    return event(type, shown(tree, first));
  }

  /** An event of a watch with a tree that is ready to be sent. */
  byte[] event(String type, JsonObject tree) {
    return form.format() == WireFormat.PROTOBUF
        ? Protobuf.event(type, tree)
        : line(type, JsonWriter.toBytes(tree));
  }

  /** One line: a type and an object. */
  private static byte[] line(String type, byte[] object) {
    byte[] head = head(type).getBytes(UTF_8);
    byte[] tail = TAIL.getBytes(UTF_8);
    byte[] line = Arrays.copyOf(head, head.length + object.length + tail.length);
    System.arraycopy(object, 0, line, head.length, object.length);
    System.arraycopy(tail, 0, line, head.length + object.length, tail.length);
    return line;
  }

  private static String head(String type) {
    return "{\"type\":\"" + type + "\",\"object\":";
  }

  /** An object in the client's format; columns are read from the form that is stored. */
  private JsonObject shown(JsonObject stored, boolean first) {
    return switch (form.form()) {
      case OBJECTS -> resource.served(stored);
      case TABLE -> singleTable(stored, first);
      case METADATA -> Table.partial(resource.served(stored), form.apiVersion());
    };
  }

  /** Rows to show, with the metadata of their list. */
  JsonObject table(List<JsonObject> objects, JsonObject listMetadata) {
    return table().of(objects, listMetadata, true);
  }

  private JsonObject singleTable(JsonObject object, boolean withDefinitions) {
    JsonObject metadata = JsonObject.of("resourceVersion", Metadata.of(object).resourceVersion());
    return table().of(List.of(object), metadata, withDefinitions);
  }

  private Table table() {
    return new Table(resource.columns(), form.apiVersion(), include, now);
  }

  /** An event that says only how far a watch is. */
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
    return event(
        "BOOKMARK",
        switch (form.form()) {
          case OBJECTS -> object;
          case METADATA -> Table.partial(object, form.apiVersion());
          case TABLE ->
              new Table(List.of(), form.apiVersion(), include, now)
                  .of(List.of(), metadata.build(), false);
        });
  }
}
