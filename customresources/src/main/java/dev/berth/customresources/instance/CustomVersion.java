package dev.berth.customresources.instance;

import dev.berth.customresources.conversion.Conversion;
import dev.berth.customresources.schema.Defaulting;
import dev.berth.customresources.schema.EmbeddedMetadata;
import dev.berth.customresources.schema.GoNumbers;
import dev.berth.customresources.schema.Pruning;
import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.CustomKind;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One version of a custom resource: how its objects are shaped, read and stored. */
final class CustomVersion implements CustomKind {
  private static final String TERMINATING =
      "create not allowed while custom resource definition is terminating";
  private static final List<String> VERBS =
      List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

  /** What a definition says of one of its versions. */
  record Facts(
      String apiVersion,
      String singular,
      String listKind,
      boolean preservesUnknown,
      boolean terminating,
      Optional<String> warning,
      Optional<ScalePaths> scale,
      Object definedBy) {}

  private final Facts facts;
  private final Supplier<StructuralSchema> schema;
  private final Conversion conversion;
  private final @Nullable Resource storage;

  /**
   * @param storage the resource of the version that objects are stored in; null if it is this one
   */
  CustomVersion(
      Facts facts,
      Supplier<StructuralSchema> schema,
      Conversion conversion,
      @Nullable Resource storage) {
    this.facts = facts;
    this.storage = storage;
    this.schema = schema;
    this.conversion = conversion;
  }

  @Override
  public String singular() {
    return facts.singular;
  }

  @Override
  public String listKind() {
    return facts.listKind;
  }

  @Override
  public List<String> verbs() {
    return VERBS;
  }

  @Override
  public StructuralSchema schema() {
    return schema.get();
  }

  @Override
  public Object definedBy() {
    return facts.definedBy;
  }

  @Override
  public Conforming.Result shape(JsonObject object, boolean applied) {
    List<String> unknown = new ArrayList<>();
    JsonObject shaped = (JsonObject) GoNumbers.canonical(object);
    Object sent = shaped.get("metadata");
    if (sent != null) {
      Conforming.Result metadata = Conforming.shapeMetadata(sent, FieldPath.of("metadata"));
      unknown.addAll(metadata.unknownFields());
      shaped = shaped.with("metadata", metadata.object());
    }
    if (!facts.preservesUnknown) {
      Pruning.Pruned pruned = Pruning.object(shaped, schema());
      unknown.addAll(pruned.unknown());
      shaped = (JsonObject) pruned.value();
      shaped = applied ? shaped : Defaulting.withoutNulls(shaped, schema());
    }
    Pruning.Pruned coerced = EmbeddedMetadata.coerce(shaped, schema(), false);
    unknown.addAll(coerced.unknown());
    return new Conforming.Result((JsonObject) coerced.value(), unknown);
  }

  /**
   * Defaults are filled in and unknown fields left out also of what is stored: the schema may have
   * changed since. What is stored in another version gets the defaults of that one, before it is
   * converted, and none after that, as in Kubernetes.
   */
  @Override
  public JsonObject read(JsonObject stored) {
    return isOwn(stored) ? filled(stored, schema()) : readAll(List.of(stored)).getFirst();
  }

  @Override
  public List<JsonObject> readAll(List<JsonObject> stored) {
    List<JsonObject> others =
        stored.stream()
            .filter(object -> !isOwn(object))
            .map(object -> isStorage(object) ? filled(object, storageSchema()) : object)
            .toList();
    Iterator<JsonObject> converted =
        others.isEmpty()
            ? Collections.emptyIterator()
            : conversion.convert(others, facts.apiVersion).iterator();
    return stored.stream()
        .map(object -> {
          if (isOwn(object)) {
            return filled(object, schema());
          }
          JsonObject other = converted.next();
          // The schema of what has long been no storage version is not known any more.
          return isStorage(object) ? pruned(other, schema()) : filled(other, schema());
        })
        .toList();
  }

  private boolean isOwn(JsonObject stored) {
    return facts.apiVersion.equals(stored.get("apiVersion"));
  }

  private boolean isStorage(JsonObject stored) {
    return storage != null && storage.kind().apiVersion().equals(stored.get("apiVersion"));
  }

  private StructuralSchema storageSchema() {
    return storage == null ? schema() : storage.custom().orElseThrow().schema();
  }

  private JsonObject filled(JsonObject object, StructuralSchema version) {
    return Defaulting.fill(pruned(object, version), version);
  }

  private JsonObject pruned(JsonObject object, StructuralSchema version) {
    return facts.preservesUnknown
        ? object
        : Defaulting.withoutNulls((JsonObject) Pruning.object(object, version).value(), version);
  }

  @Override
  public JsonObject write(JsonObject object) {
    if (storage == null) {
      return object;
    }
    JsonObject converted =
        conversion.convert(List.of(object), storage.kind().apiVersion()).getFirst();
    return inOrder(
        facts.preservesUnknown
            ? converted
            : (JsonObject) Pruning.object(converted, storageSchema()).value());
  }

  @Override
  public Optional<Resource> storage() {
    return Optional.ofNullable(storage);
  }

  /** What is stored begins with kind, version and metadata. */
  private static JsonObject inOrder(JsonObject object) {
    JsonObject.Builder ordered =
        new JsonObject.Builder()
            .put("kind", object.text("kind", ""))
            .put("apiVersion", object.text("apiVersion", ""))
            .put("metadata", object.object("metadata"));
    object.forEach((name, value) -> {
      if (!name.equals("kind") && !name.equals("apiVersion") && !name.equals("metadata")) {
        ordered.put(name, value);
      }
    });
    return ordered.build();
  }

  @Override
  public Optional<String> refusesCreation() {
    return facts.terminating ? Optional.of(TERMINATING) : Optional.empty();
  }

  @Override
  public Optional<String> warning() {
    return facts.warning;
  }

  @Override
  public Optional<ScalePaths> scale() {
    return facts.scale;
  }
}
