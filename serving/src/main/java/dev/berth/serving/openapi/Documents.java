package dev.berth.serving.openapi;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.schema.Descriptions;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writes the documents of a catalog. What they are written from is not kept. */
final class Documents {
  private static final String TITLE = "Kubernetes";
  private static final String VERSION = "v1.36.0";

  private final Catalog catalog;
  private final Schemas schemas = Schemas.builtIn();
  private final Descriptions descriptions = schemas.descriptions();
  private final Enums enums = Enums.read();

  Documents(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * A document for each version, by its path without the leading slash.
   *
   * @param known documents that were written before and are still true
   */
  Map<String, Packed> v3(Function<GroupVersion, Optional<Packed>> known) {
    Map<String, Packed> documents = new LinkedHashMap<>();
    for (GroupVersion version : catalog.versions()) {
      documents.put(
          name(version),
          known.apply(version).orElseGet(() -> Packed.of(JsonWriter.toBytes(v3(version)))));
    }
    return documents;
  }

  /** What the document of a version is called. */
  static String name(GroupVersion version) {
    return Operations.root(version).substring(1);
  }

  JsonObject v3(GroupVersion version) {
    Definitions definitions = new Definitions(Dialect.V3, schemas, descriptions, enums);
    JsonObject paths = paths(Dialect.V3, definitions, catalog.resources(version));
    return new JsonObject.Builder()
        .put("openapi", "3.0.0")
        .put("info", info())
        .put("paths", paths)
        .put("components", JsonObject.of("schemas", definitions.build()))
        .build();
  }

  JsonObject v2() {
    Definitions definitions = new Definitions(Dialect.V2, schemas, descriptions, enums);
    List<Resource> all =
        catalog.versions().stream().map(catalog::resources).flatMap(Collection::stream).toList();
    JsonObject paths = paths(Dialect.V2, definitions, all);
    return new JsonObject.Builder()
        .put("swagger", "2.0")
        .put("info", info())
        .put("paths", paths)
        .put("definitions", definitions.build())
        .build();
  }

  private static JsonObject paths(
      Dialect dialect, Definitions definitions, List<Resource> resources) {
    Operations operations = new Operations(dialect, definitions);
    for (Resource resource : resources) {
      resource.custom().ifPresent(custom -> definitions.define(resource, custom.schema()));
      operations.add(resource);
      for (TypeSchema type : definitions.ofKind(resource.kind())) {
        var _ = definitions.use(type);
      }
    }
    return operations.build();
  }

  private static JsonObject info() {
    return new JsonObject.Builder().put("title", TITLE).put("version", VERSION).build();
  }
}
