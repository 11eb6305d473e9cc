package dev.berth.model.schema;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The schema of the objects of a custom resource, as its definition has it: what decides the shape
 * of values is read at once; what only validation and documents look at is in {@link #source}.
 *
 * <p>It is read leniently, because the same form stands below {@code anyOf} and {@code not}, and
 * because whoever checks a schema wants to name all of its faults. Safe to use from any thread.
 */
public final class StructuralSchema {
  public static final StructuralSchema EMPTY = of(JsonObject.EMPTY);

  private final JsonObject source;
  private final String type;
  private final boolean nullable;
  private final @Nullable Object whenAbsent;
  private final Map<String, StructuralSchema> properties;
  private final @Nullable StructuralSchema items;
  private final boolean hasAdditional;
  private final @Nullable StructuralSchema additional;
  private final boolean preservesUnknown;
  private final boolean embeddedResource;
  private final boolean intOrString;
  private final boolean hasDefaults;
  private final boolean embedsResources;
  private final boolean hasUniqueLists;

  /** What others made of this schema, each kind of thing once. */
  private final Map<Class<?>, Object> views = new ConcurrentHashMap<>(1);

  private StructuralSchema(JsonObject source) {
    this.source = source;
    this.type = text("type");
    this.nullable = flag("nullable");
    Object given = source.get("default");
    this.whenAbsent = given instanceof JsonNull ? null : given;
    this.properties = properties(source);
    this.items = source.get("items") instanceof JsonObject schema ? of(schema) : null;
    Object more = source.get("additionalProperties");
    this.hasAdditional = more instanceof JsonObject || more instanceof Boolean;
    this.additional = more instanceof JsonObject schema ? of(schema) : null;
    this.preservesUnknown = flag("x-kubernetes-preserve-unknown-fields");
    this.embeddedResource = flag("x-kubernetes-embedded-resource");
    this.intOrString = flag("x-kubernetes-int-or-string");
    this.hasDefaults = whenAbsent != null || isBelow(schema -> schema.hasDefaults);
    this.embedsResources = embeddedResource || isBelow(schema -> schema.embedsResources);
    this.hasUniqueLists =
        listType().equals("set")
            || listType().equals("map")
            || isBelow(schema -> schema.hasUniqueLists);
  }

  private boolean isBelow(Predicate<StructuralSchema> is) {
    return (items != null && is.test(items))
        || (additional != null && is.test(additional))
        || properties.values().stream().anyMatch(is);
  }

  /** Reads a {@code JSONSchemaProps}. */
  public static StructuralSchema of(JsonObject source) {
    return new StructuralSchema(source);
  }

  private static Map<String, StructuralSchema> properties(JsonObject source) {
    if (!(source.get("properties") instanceof JsonObject declared) || declared.isEmpty()) {
      return Map.of();
    }
    Map<String, StructuralSchema> read = LinkedHashMap.newLinkedHashMap(declared.size());
    declared.forEach((name, schema) -> {
      if (schema instanceof JsonObject object) {
        read.put(name, of(object));
      }
    });
    return read;
  }

  private boolean flag(String name) {
    return Boolean.TRUE.equals(source.get(name));
  }

  /** The text in a field of the source; empty if there is none. */
  public String text(String name) {
    return source.get(name) instanceof String text ? text : "";
  }

  /** The schema as it was written. */
  public JsonObject source() {
    return source;
  }

  /** {@code object}, {@code array}, {@code string} and so on; empty if it does not say. */
  public String type() {
    return type;
  }

  public boolean isNullable() {
    return nullable;
  }

  /** The default; null if there is none. */
  public @Nullable Object whenAbsent() {
    return whenAbsent;
  }

  /** Whether this schema or one below it has a default. */
  public boolean hasDefaults() {
    return hasDefaults;
  }

  /** Whether this schema or one below it is of whole objects in an object. */
  public boolean embedsResources() {
    return embedsResources;
  }

  /** Whether this schema or one below it is of a list with no element twice. */
  public boolean hasUniqueLists() {
    return hasUniqueLists;
  }

  /** By name, in the order of the source. */
  public Map<String, StructuralSchema> properties() {
    return properties;
  }

  public @Nullable StructuralSchema property(String name) {
    return properties.get(name);
  }

  /** The schema of the elements of an array. */
  public @Nullable StructuralSchema items() {
    return items;
  }

  /** Whether other fields than {@link #properties} are spoken of. */
  public boolean hasAdditional() {
    return hasAdditional;
  }

  /** The schema of all other fields; null if there is none, or if they may be anything. */
  public @Nullable StructuralSchema additional() {
    return additional;
  }

  /** The schema of a field, whether it has one of its own or that of all others; else null. */
  public @Nullable StructuralSchema field(String name) {
    StructuralSchema own = properties.get(name);
    return own == null ? additional : own;
  }

  public boolean preservesUnknown() {
    return preservesUnknown;
  }

  public boolean isEmbeddedResource() {
    return embeddedResource;
  }

  public boolean isIntOrString() {
    return intOrString;
  }

  /** {@code atomic}, {@code set} or {@code map}; empty if it does not say. */
  public String listType() {
    return text("x-kubernetes-list-type");
  }

  public List<String> listMapKeys() {
    return texts("x-kubernetes-list-map-keys");
  }

  /** {@code atomic} or {@code granular}; empty if it does not say. */
  public String mapType() {
    return text("x-kubernetes-map-type");
  }

  /** The names of the fields that must be there. */
  public List<String> required() {
    return texts("required");
  }

  private List<String> texts(String name) {
    return source.get(name) instanceof JsonArray array
        ? array.values().stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }

  /** The schemas in a list such as {@code anyOf}. */
  public List<StructuralSchema> all(String name) {
    return source.get(name) instanceof JsonArray array
        ? array.values().stream()
            .filter(JsonObject.class::isInstance)
            .map(schema -> of((JsonObject) schema))
            .toList()
        : List.of();
  }

  /** The rules of {@code x-kubernetes-validations}. */
  public List<JsonObject> rules() {
    return source.get("x-kubernetes-validations") instanceof JsonArray array
        ? array.values().stream()
            .filter(JsonObject.class::isInstance)
            .map(JsonObject.class::cast)
            .toList()
        : List.of();
  }

  /** Something that is made of this schema, made once and kept with it. */
  public <T> T view(Class<T> type, Function<StructuralSchema, T> make) {
    Object known = views.get(type);
    if (known == null) {
      // Made outside of the map, since making may ask for other views.
      T made = make.apply(this);
      Object earlier = views.putIfAbsent(type, made);
      known = earlier == null ? made : earlier;
    }
    return type.cast(known);
  }
}
