package dev.berth.cel.value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A type of the language, as the checker knows it.
 *
 * <p>Two types are the same when their kind, name and parameters are; a {@link CelField struct's
 * fields} belong to its name.
 */
public final class CelType {
  /** What sort of type it is, which decides how it is assigned and printed. */
  public enum Kind {
    DYN,
    ERROR,
    NULL,
    BOOL,
    INT,
    UINT,
    DOUBLE,
    STRING,
    BYTES,
    DURATION,
    TIMESTAMP,
    LIST,
    MAP,
    STRUCT,
    OPAQUE,
    TYPE,
    TYPE_PARAM
  }

  public static final CelType DYN = simple(Kind.DYN, "dyn");
  public static final CelType ERROR = simple(Kind.ERROR, "!error!");
  public static final CelType NULL = simple(Kind.NULL, "null_type");
  public static final CelType BOOL = simple(Kind.BOOL, "bool");
  public static final CelType INT = simple(Kind.INT, "int");
  public static final CelType UINT = simple(Kind.UINT, "uint");
  public static final CelType DOUBLE = simple(Kind.DOUBLE, "double");
  public static final CelType STRING = simple(Kind.STRING, "string");
  public static final CelType BYTES = simple(Kind.BYTES, "bytes");
  public static final CelType DURATION = simple(Kind.DURATION, "google.protobuf.Duration");
  public static final CelType TIMESTAMP = simple(Kind.TIMESTAMP, "google.protobuf.Timestamp");
  public static final CelType TYPE = simple(Kind.TYPE, "type");

  private final Kind kind;
  private final String name;
  private final List<CelType> parameters;
  private final Map<String, CelField> fields;
  private final Function<String, @Nullable CelField> fieldsByName;
  private final ListSemantics listSemantics;

  private CelType(
      Kind kind,
      String name,
      List<CelType> parameters,
      Map<String, CelField> fields,
      ListSemantics listSemantics) {
    this(kind, name, parameters, fields, fields::get, listSemantics);
  }

  private CelType(
      Kind kind,
      String name,
      List<CelType> parameters,
      Map<String, CelField> fields,
      Function<String, @Nullable CelField> fieldsByName,
      ListSemantics listSemantics) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.fields = fields;
    this.fieldsByName = fieldsByName;
    this.listSemantics = listSemantics;
  }

  private static CelType simple(Kind kind, String name) {
    return new CelType(kind, name, List.of(), Map.of(), ListSemantics.ATOMIC);
  }

  public static CelType list(CelType element) {
    return list(element, ListSemantics.ATOMIC);
  }

  /** A list whose order may not matter, as a schema says. */
  public static CelType list(CelType element, ListSemantics semantics) {
    return new CelType(Kind.LIST, "list", List.of(element), Map.of(), semantics);
  }

  public static CelType map(CelType key, CelType value) {
    return new CelType(Kind.MAP, "map", List.of(key, value), Map.of(), ListSemantics.ATOMIC);
  }

  public static CelType optional(CelType value) {
    return opaque("optional_type", value);
  }

  /** The type of a type. */
  public static CelType typeOf(CelType type) {
    return new CelType(Kind.TYPE, "type", List.of(type), Map.of(), ListSemantics.ATOMIC);
  }

  public static CelType parameter(String name) {
    return simple(Kind.TYPE_PARAM, name);
  }

  public static CelType opaque(String name, CelType... parameters) {
    return new CelType(Kind.OPAQUE, name, List.of(parameters), Map.of(), ListSemantics.ATOMIC);
  }

  /** A type that is known by its name and has no fields that expressions could select. */
  public static CelType object(String name) {
    return struct(name, Map.of());
  }

  /**
   * A type with fields.
   *
   * @param fields by the names that expressions use
   */
  public static CelType struct(String name, Map<String, CelField> fields) {
    return new CelType(Kind.STRUCT, name, List.of(), fields, ListSemantics.ATOMIC);
  }

  /** A type whose fields are worked out when an expression names them. */
  public static CelType struct(String name, Function<String, @Nullable CelField> fields) {
    return new CelType(Kind.STRUCT, name, List.of(), Map.of(), fields, ListSemantics.ATOMIC);
  }

  public Kind kind() {
    return kind;
  }

  public String name() {
    return name;
  }

  public List<CelType> parameters() {
    return parameters;
  }

  public CelType parameter(int index) {
    return parameters.get(index);
  }

  /** A field; one whose name is a reserved word is also known by that word as it is. */
  public @Nullable CelField field(String field) {
    CelField found = fieldsByName.apply(field);
    return found == null ? fieldsByName.apply("__" + field + "__") : found;
  }

  public Map<String, CelField> fields() {
    return fields;
  }

  public ListSemantics listSemantics() {
    return listSemantics;
  }

  public boolean isDyn() {
    return kind == Kind.DYN;
  }

  public boolean isDynOrError() {
    return kind == Kind.DYN || kind == Kind.ERROR;
  }

  public boolean isOptional() {
    return kind == Kind.OPAQUE && name.equals("optional_type");
  }

  /** The same kind of type with other parameters. */
  public CelType withParameters(List<CelType> others) {
    return new CelType(kind, name, List.copyOf(others), fields, fieldsByName, listSemantics);
  }

  /** Whether both are the same type, whatever order means to lists of it. */
  public boolean isSame(CelType other) {
    if (kind != other.kind || parameters.size() != other.parameters.size()) {
      return false;
    }
    if (!name.equals(other.name)) {
      return false;
    }
    for (int i = 0; i < parameters.size(); i++) {
      if (!parameters.get(i).isSame(other.parameters.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** All struct types that can be reached through fields and parameters, this one included. */
  public List<CelType> reachableStructs() {
    Map<String, CelType> found = new LinkedHashMap<>();
    collect(found);
    return new ArrayList<>(found.values());
  }

  private void collect(Map<String, CelType> found) {
    if (kind == Kind.STRUCT && found.putIfAbsent(name, this) != null) {
      return;
    }
    parameters.forEach(type -> type.collect(found));
    fields.values().forEach(field -> field.type().collect(found));
  }

  /** The name that a declaration uses, with parameters. */
  public String declaredName() {
    return parameters.isEmpty()
        ? name
        : parameters.stream()
            .map(CelType::declaredName)
            .collect(Collectors.joining(", ", name + "(", ")"));
  }

  /** As the language's messages print it. */
  @Override
  public String toString() {
    return switch (kind) {
      case DURATION -> "duration";
      case TIMESTAMP -> "timestamp";
      case NULL -> "null";
      default ->
          parameters.isEmpty()
              ? name
              : parameters.stream()
                  .map(CelType::toString)
                  .collect(Collectors.joining(", ", name + "(", ")"));
    };
  }
}
