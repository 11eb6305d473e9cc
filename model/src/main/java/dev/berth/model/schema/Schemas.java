package dev.berth.model.schema;

import dev.berth.model.resource.GroupVersionKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The schemas of a set of types.
 *
 * <p>Those of the built-in types are a resource that the {@code schemas} module generates. Nothing
 * is read until they are asked for, and their descriptions, which are most of the bytes, are read
 * each time they are asked for, and not kept. Safe to use from any thread.
 */
public final class Schemas {
  /** The resource with everything but the descriptions, to be written by {@link SchemaWriter}. */
  public static final String TYPES_RESOURCE = "dev/berth/schemas/types.bin";

  public static final String DESCRIPTIONS_RESOURCE = "dev/berth/schemas/descriptions.bin";

  /** The resource that says how objects look in protobuf. */
  public static final String WIRE_RESOURCE = "dev/berth/schemas/wire.txt";

  private final Map<String, TypeSchema> byName = new LinkedHashMap<>();
  private final Map<GroupVersionKind, TypeSchema> byKind = new HashMap<>();

  /** Where a type's descriptions begin: first its own, then its fields'. */
  private final Map<String, Integer> firstDescription = new HashMap<>();

  private final Supplier<List<String>> descriptions;

  /**
   * @param types in the order in which their descriptions are
   * @param descriptions of each type, followed by those of its fields
   */
  Schemas(List<TypeSchema> types, Supplier<List<String>> descriptions) {
    this.descriptions = descriptions;
    int next = 0;
    for (TypeSchema type : types) {
      byName.put(type.name(), type);
      if (type.kind() != null) {
        byKind.put(type.kind(), type);
      }
      firstDescription.put(type.name(), next);
      next += 1 + type.fields().size();
    }
  }

  /** The schemas of the built-in types. */
  public static Schemas builtIn() {
    return BuiltIn.SCHEMAS;
  }

  /** Initialised when the schemas are first asked for. */
  private static final class BuiltIn {
    static final Schemas SCHEMAS =
        new Schemas(
            SchemaReader.types(resource(TYPES_RESOURCE)),
            () -> SchemaReader.descriptions(resource(DESCRIPTIONS_RESOURCE)));
  }

  private static byte[] resource(String name) {
    try (InputStream stream = Schemas.class.getClassLoader().getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(
            "the resource " + name + " is missing: the module \"schemas\" must be on the path");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + name + " cannot be read", e);
    }
  }

  /** The schema of a type by its name in OpenAPI. */
  public Optional<TypeSchema> type(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The schema of objects that call themselves so. */
  public Optional<TypeSchema> kind(GroupVersionKind kind) {
    return Optional.ofNullable(byKind.get(kind));
  }

  /** All types in the order of their names. */
  public Collection<TypeSchema> types() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /** Reads what types and fields are for, in words. */
  public Descriptions descriptions() {
    return new Descriptions(descriptions.get(), firstDescription);
  }
}
