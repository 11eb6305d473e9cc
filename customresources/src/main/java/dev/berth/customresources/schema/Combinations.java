package dev.berth.customresources.schema;

import dev.berth.model.tree.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schemas of which a value must satisfy all, some, one or none. */
record Combinations(
    List<ValueValidator> allOf,
    List<ValueValidator> oneOf,
    List<ValueValidator> anyOf,
    @Nullable ValueValidator not) {

  void check(Object value, @Nullable Object old, ValuePath at, Violations violations) {
    if (!anyOf.isEmpty()) {
      any(value, old, at, violations);
    }
    if (!oneOf.isEmpty()) {
      one(value, old, at, violations);
    }
    if (!allOf.isEmpty()) {
      all(value, old, at, violations);
    }
    if (not != null && not.check(value, old, at).isEmpty()) {
      violations.composite(quoted(at) + " must not validate the schema (not)");
    }
    violations.matched();
  }

  private static String quoted(ValuePath at) {
    return JsonWriter.toText(at.toString());
  }

  private void any(Object value, @Nullable Object old, ValuePath at, Violations violations) {
    Violations best = null;
    for (ValueValidator alternative : anyOf) {
      Violations found = alternative.check(value, old, at);
      if (found.isEmpty()) {
        violations.merge(found);
        return;
      }
      best = best == null || found.matches() > best.matches() ? found : best;
    }
    violations.composite(quoted(at) + " must validate at least one schema (anyOf)");
    if (best != null) {
      violations.merge(best);
    }
  }

  private void one(Object value, @Nullable Object old, ValuePath at, Violations violations) {
    Violations best = null;
    Violations first = null;
    int valid = 0;
    for (ValueValidator alternative : oneOf) {
      Violations found = alternative.check(value, old, at);
      if (found.isEmpty()) {
        valid++;
        first = first == null ? found : first;
      } else if (best == null || found.matches() > best.matches()) {
        best = found;
      }
    }
    if (valid == 1 && first != null) {
      violations.merge(first);
      return;
    }
    violations.composite(
        quoted(at)
            + " must validate one and only one schema (oneOf). "
            + (valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives"));
    if (valid == 0 && best != null) {
      violations.merge(best);
    }
  }

  private void all(Object value, @Nullable Object old, ValuePath at, Violations violations) {
    int valid = 0;
    for (ValueValidator part : allOf) {
      Violations found = part.check(value, old, at);
      valid += found.isEmpty() ? 1 : 0;
      violations.merge(found);
    }
    if (valid != allOf.size()) {
      violations.composite(
          quoted(at)
              + " must validate all the schemas (allOf)"
              + (valid == 0 ? ". None validated" : ""));
    }
  }
}
