package dev.berth.serving.rest;

import dev.berth.kinds.column.Column;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * Builds tables.
 *
 * @param apiVersion {@code meta.k8s.io/v1}, or its beta
 * @param include what of the objects comes with their rows
 */
record Table(List<Column> columns, String apiVersion, Include include, Instant now) {

  Table {
    columns = List.copyOf(columns);
  }

  /** What of an object comes with its row. */
  enum Include {
    NONE,
    METADATA,
    OBJECT
  }

  /**
   * A table of objects.
   *
   * @param metadata of the list
   * @param withDefinitions whether columns are described; a watch does so once only
   */
  JsonObject of(List<JsonObject> objects, JsonObject metadata, boolean withDefinitions) {
    JsonArray definitions =
        withDefinitions
            ? JsonArray.copyOf(columns.stream().map(Column::definition).toList())
            : JsonArray.EMPTY;
    return new JsonObject.Builder()
        .put("kind", "Table")
        .put("apiVersion", apiVersion)
        .put("metadata", metadata)
        .put("columnDefinitions", definitions)
        .put("rows", JsonArray.copyOf(objects.stream().map(this::row).toList()))
        .build();
  }

  private JsonObject row(JsonObject object) {
    List<Object> cells = columns.stream().map(column -> column.cell().of(object, now)).toList();
    JsonObject.Builder row = new JsonObject.Builder().put("cells", JsonArray.copyOf(cells));
    switch (include) {
      case NONE -> row.put("object", JsonNull.NULL);
      case METADATA -> row.put("object", partial(object, apiVersion));
      case OBJECT -> row.put("object", object);
    }
    return row.build();
  }

  /** An object without anything but its metadata. */
  static JsonObject partial(JsonObject object, String apiVersion) {
    return new JsonObject.Builder()
        .put("kind", "PartialObjectMetadata")
        .put("apiVersion", apiVersion)
        .put("metadata", metadata(object))
        .build();
  }

  /**
   * The metadata of an object. Kubernetes takes them from its own types, in which how often a
   * DaemonSet's template changed is no annotation.
   */
  private static JsonObject metadata(JsonObject object) {
    JsonObject metadata = object.object("metadata");
    if (!object.text("kind", "").equals("DaemonSet")) {
      return metadata;
    }
    JsonObject others =
        metadata.object("annotations").without(WellKnownAnnotations.DAEMON_SET_TEMPLATE_GENERATION);
    return others.isEmpty()
        ? metadata.without("annotations")
        : metadata.with("annotations", others);
  }
}
