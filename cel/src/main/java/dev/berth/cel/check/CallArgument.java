package dev.berth.cel.check;

import dev.berth.cel.syntax.Expr;
import dev.berth.cel.syntax.Expr.Literal;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CelType.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An argument of a call whose cost is estimated. */
record CallArgument(
    Expr expression, List<String> path, @Nullable SizeEstimate computed, SizeBounds bounds) {

  SizeEstimate size() {
    if (computed != null) {
      return computed;
    }
    SizeEstimate bound = path.isEmpty() ? null : bounds.size(path);
    return bound == null ? SizeEstimate.UNKNOWN : bound;
  }

  /** The type of a list's elements; null if it is no list. */
  @Nullable CelType elementType() {
    return expression.type().parameters().isEmpty() ? null : expression.type().parameter(0);
  }

  /** How large the elements of a list are. */
  SizeEstimate elementSize() {
    if (path.isEmpty()) {
      return SizeEstimate.UNKNOWN;
    }
    List<String> element = new ArrayList<>(path);
    element.add("@items");
    SizeEstimate bound = bounds.size(element);
    return bound == null ? SizeEstimate.UNKNOWN : bound;
  }

  boolean hasTextElements() {
    CelType type = elementType();
    return type != null && (type.kind() == Kind.STRING || type.kind() == Kind.BYTES);
  }

  /** The number that it is, if it is a constant. */
  long constant(long otherwise) {
    return expression instanceof Literal literal && literal.value instanceof Long number
        ? number
        : otherwise;
  }
}
