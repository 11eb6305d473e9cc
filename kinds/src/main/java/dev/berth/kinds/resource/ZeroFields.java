package dev.berth.kinds.resource;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.schema.ZeroForm;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds to objects the fields that Kubernetes writes though they have no value, such as {@code
 * status.replicas: 0} and {@code resources: {}}, as its own types do whenever an object passes
 * through them. Clients read them without asking whether they are there.
 *
 * <p>This runs on every write, so what to add is worked out once for each type, parts of an object
 * below which nothing is ever added are not looked at, and neither is what is shared with an object
 * that has them already. Safe to use from any thread.
 */
public final class ZeroFields {
  private static final ZeroFields BUILT_IN = new ZeroFields(Schemas.builtIn());

  private static final JsonObject WITHOUT_SCHEMA = JsonObject.of("metadata", JsonObject.EMPTY);

  private final Schemas schemas;
  private final Map<String, TypePlan> byType = new ConcurrentHashMap<>();

  ZeroFields(Schemas schemas) {
    this.schemas = schemas;
  }

  /** Those of the built-in types. */
  public static ZeroFields builtIn() {
    return BUILT_IN;
  }

  /** The object with all of them; itself if it lacks none, or has no schema. */
  public JsonObject fill(JsonObject object, GroupVersionKind kind) {
    return fill(object, JsonObject.EMPTY, kind);
  }

  /**
   * The same.
   *
   * @param known an object of the kind that has them
   */
  public JsonObject fill(JsonObject object, JsonObject known, GroupVersionKind kind) {
    return schemas
        .kind(kind)
        .map(type -> plan(type.name()).fillObject(object, known))
        .orElse(object);
  }

  /** What an object of a kind is made of before anybody says anything. */
  public JsonObject zero(GroupVersionKind kind) {
    return schemas.kind(kind).map(type -> plan(type.name()).zero()).orElse(WITHOUT_SCHEMA);
  }

  /** What is added at some place of an object, and below. */
  private interface Plan {
    Object fill(Object value, @Nullable Object known);
  }

  private TypePlan plan(String type) {
    TypePlan known = byType.get(type);
    return known == null ? byType.computeIfAbsent(type, TypePlan::new) : known;
  }

  private TypeSchema schema(String type) {
    return schemas
        .type(type)
        .orElseThrow(() -> new IllegalStateException("There is no type " + type));
  }

  private static boolean isWritten(FieldSchema field) {
    return field.zero() == ZeroForm.WRITTEN || field.zero() == ZeroForm.NULL;
  }

  private Object zero(FieldSchema field) {
    if (field.zero() == ZeroForm.NULL) {
      return JsonNull.NULL;
    }
    return switch (field.type()) {
      case FieldType.Reference reference -> plan(reference.type()).zero();
      case FieldType.ListOf _, FieldType.MapOf _ -> JsonNull.NULL;
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case STRING -> "";
            case INT32, INT64, NUMBER, INT_OR_STRING -> 0L;
            case BOOLEAN -> false;
            case QUANTITY -> "0";
            case BYTES, TIME, MICRO_TIME, ANY -> JsonNull.NULL;
          };
    };
  }

  /** Whether anything is ever added to a value, or below. */
  private boolean needsFilling(FieldType type, Set<String> above) {
    return switch (type) {
      case FieldType.Scalar _ -> false;
      case FieldType.ListOf list -> needsFilling(list.element(), above);
      case FieldType.MapOf map -> needsFilling(map.value(), above);
      case FieldType.Reference reference -> {
        if (!above.add(reference.type())) {
          yield true;
        }
        boolean needed =
            schema(reference.type()).fields().stream()
                .anyMatch(field -> isWritten(field) || needsFilling(field.type(), above));
        above.remove(reference.type());
        yield needed;
      }
    };
  }

  private Plan plan(FieldType type) {
    return switch (type) {
      case FieldType.Reference reference -> plan(reference.type());
      case FieldType.ListOf list -> new ListPlan(plan(list.element()));
      case FieldType.MapOf map -> new MapPlan(plan(map.value()));
      case FieldType.Scalar _ -> throw new IllegalArgumentException("nothing is added to scalars");
    };
  }

  /** Sharing is what is asked, not equality: comparing would cost what it is to save. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean same(@Nullable Object left, @Nullable Object right) {
    return left == right;
  }

  /** Objects of a type. */
  private final class TypePlan implements Plan {
    private final String type;

    /** Resolved when first asked for, because types refer to themselves. */
    private volatile @Nullable Resolved resolved;

    /**
     * @param written the names of the fields that are always there
     * @param zeros their values if nobody says another
     * @param nested the names of fields that are looked into
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Resolved(String[] written, Object[] zeros, String[] nested, Plan[] plans) {}

    TypePlan(String type) {
      this.type = type;
    }

    private Resolved resolved() {
      Resolved known = resolved;
      if (known == null) {
        known = resolve();
        resolved = known;
      }
      return known;
    }

    private Resolved resolve() {
      List<String> written = new ArrayList<>();
      List<Object> zeros = new ArrayList<>();
      List<String> nested = new ArrayList<>();
      List<Plan> plans = new ArrayList<>();
      for (FieldSchema field : schema(type).fields()) {
        if (isWritten(field)) {
          written.add(field.name());
          zeros.add(ZeroFields.this.zero(field));
        }
        if (needsFilling(field.type(), new HashSet<>())) {
          nested.add(field.name());
          plans.add(plan(field.type()));
        }
      }
      return new Resolved(
          written.toArray(String[]::new),
          zeros.toArray(),
          nested.toArray(String[]::new),
          plans.toArray(Plan[]::new));
    }

    JsonObject zero() {
      Resolved fields = resolved();
      return JsonObject.ofDistinct(fields.written, fields.zeros.clone(), fields.written.length);
    }

    @Override
    public Object fill(Object value, @Nullable Object known) {
      return value instanceof JsonObject object
          ? fillObject(object, known instanceof JsonObject same ? same : JsonObject.EMPTY)
          : value;
    }

    JsonObject fillObject(JsonObject object, JsonObject known) {
      Resolved fields = resolved();
      JsonObject filled = object;
      for (int i = 0; i < fields.nested.length; i++) {
        String name = fields.nested[i];
        Object value = object.get(name);
        if (value == null) {
          continue;
        }
        Object knownValue = known.get(name);
        if (same(value, knownValue)) {
          continue;
        }
        Object whole = fields.plans[i].fill(value, knownValue);
        if (!same(whole, value)) {
          filled = filled.with(name, whole);
        }
      }
      return withMissing(filled, fields);
    }

    private static JsonObject withMissing(JsonObject object, Resolved fields) {
      int missing = 0;
      for (String name : fields.written) {
        missing += object.get(name) == null ? 1 : 0;
      }
      if (missing == 0) {
        return object;
      }
      int size = object.size();
      String[] names = new String[size + missing];
      Object[] values = new Object[size + missing];
      for (int i = 0; i < size; i++) {
        names[i] = object.name(i);
        values[i] = object.value(i);
      }
      for (int i = 0; i < fields.written.length; i++) {
        if (object.get(fields.written[i]) == null) {
          names[size] = fields.written[i];
          values[size++] = fields.zeros[i];
        }
      }
      return JsonObject.ofDistinct(names, values, size);
    }
  }

  private record ListPlan(Plan element) implements Plan {
    @Override
    public Object fill(Object value, @Nullable Object known) {
      if (!(value instanceof JsonArray list)) {
        return value;
      }
      JsonArray before = known instanceof JsonArray array ? array : JsonArray.EMPTY;
      Object @Nullable [] filled = null;
      for (int i = 0; i < list.size(); i++) {
        Object item = list.get(i);
        Object knownItem = i < before.size() ? before.get(i) : null;
        Object whole = same(item, knownItem) ? item : element.fill(item, knownItem);
        if (!same(whole, item)) {
          filled = filled == null ? list.values().toArray() : filled;
          filled[i] = whole;
        }
      }
      return filled == null ? list : JsonArray.of(filled);
    }
  }

  private record MapPlan(Plan value) implements Plan {
    @Override
    public Object fill(Object map, @Nullable Object known) {
      if (!(map instanceof JsonObject entries)) {
        return map;
      }
      JsonObject before = known instanceof JsonObject object ? object : JsonObject.EMPTY;
      Object @Nullable [] filled = null;
      for (int i = 0; i < entries.size(); i++) {
        Object entry = entries.value(i);
        Object knownEntry = before.get(entries.name(i));
        Object whole = same(entry, knownEntry) ? entry : value.fill(entry, knownEntry);
        if (!same(whole, entry)) {
          filled = filled == null ? values(entries) : filled;
          filled[i] = whole;
        }
      }
      return filled == null
          ? entries
          : JsonObject.ofDistinct(entries.names().toArray(String[]::new), filled, entries.size());
    }

    private static Object[] values(JsonObject entries) {
      Object[] values = new Object[entries.size()];
      Arrays.setAll(values, entries::value);
      return values;
    }
  }
}
