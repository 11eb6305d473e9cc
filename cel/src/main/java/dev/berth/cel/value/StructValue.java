package dev.berth.cel.value;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of a named type that an expression made: {@code Object.spec{replicas: 1}}. */
public record StructValue(CelType type, Map<String, Object> fields)
    implements TypedValue, LazyObject {
  @Override
  public CelType celType() {
    return type;
  }

  @Override
  public @Nullable Object field(String name) {
    return fields.get(name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StructValue that
        && type.name().equals(that.type.name())
        && Values.equal(fields, that.fields);
  }

  @Override
  public int hashCode() {
    return type.name().hashCode();
  }
}
