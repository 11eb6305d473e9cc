package dev.berth.serving.audit;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import dev.berth.serving.observe.ObservedBodies;
import dev.berth.serving.wire.WireFormat;
import dev.berth.wire.Envelope;
import dev.berth.wire.WireException;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** What was sent and answered, as it is recorded: in JSON, whatever the client's format is. */
final class AuditBodies {
  private AuditBodies() {}

  /** The answer, if it was kept and is of a format that is understood. */
  static Optional<Object> answer(ObservedBodies bodies) {
    if (bodies.answer().isPresent()) {
      return bodies.answer();
    }
    String type = bodies.answerType();
    if (type.isEmpty()) {
      return Optional.empty();
    }
    var bytes = new ByteArrayOutputStream();
    bodies.answerBytes().forEach(bytes::writeBytes);
    try {
      return tree(type, bytes.toByteArray());
    } catch (JsonException | YamlException | WireException e) {
      // A client that left has only a part of its answer, and that is no document.
      return Optional.empty();
    }
  }

  private static Optional<Object> tree(String type, byte[] bytes) {
    if (type.startsWith(WireFormat.JSON.mediaType())) {
      return Optional.of(JsonReader.value(bytes, JsonLimits.TRUSTED, _ -> {}));
    }
    if (type.startsWith(WireFormat.YAML.mediaType())) {
      return Optional.of(YamlReader.value(bytes, JsonLimits.TRUSTED, _ -> {}));
    }
    if (type.startsWith(WireFormat.PROTOBUF.mediaType())) {
      Envelope envelope = Envelope.read(bytes);
      return Optional.of(
          envelope.object(GroupVersion.parse(envelope.apiVersion()).kind(envelope.kind())));
    }
    return Optional.empty();
  }

  /** An object, the objects of a list or the rows of a table, without their managed fields. */
  static Object withoutManagedFields(Object body) {
    if (!(body instanceof JsonObject object)) {
      return body;
    }
    JsonObject own = bare(object);
    if (own.get("items") instanceof JsonArray items) {
      return own.with("items", items.mapObjects(AuditBodies::bare));
    }
    if (own.get("rows") instanceof JsonArray rows) {
      return own.with(
          "rows",
          rows.mapObjects(row ->
              row.get("object") instanceof JsonObject shown
                  ? row.with("object", bare(shown))
                  : row));
    }
    return own;
  }

  private static JsonObject bare(JsonObject object) {
    return object.get("metadata") instanceof JsonObject
        ? Metadata.update(object, metadata -> metadata.without("managedFields"))
        : object;
  }
}
