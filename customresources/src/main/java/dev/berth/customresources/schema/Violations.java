package dev.berth.customresources.schema;

import dev.berth.model.resource.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a value, and how much was right with it: of several alternatives that all
 * fail, the one with the most matches tells its errors. Those are counted as upstream's validator
 * counts them, so that the same alternative speaks.
 */
final class Violations {
  /** Errors about no field in particular have this in its place. */
  static final String NO_FIELD = "<nil>";

  /** Made with the first error: of nearly all values there is none. */
  private @Nullable List<FieldError> errors;

  private int matches;

  boolean isEmpty() {
    return errors == null;
  }

  List<FieldError> errors() {
    return errors == null ? List.of() : errors;
  }

  int matches() {
    return matches;
  }

  void matched() {
    matches++;
  }

  void add(FieldError error) {
    List<FieldError> known = errors == null ? new ArrayList<>() : errors;
    if (known.size() <= FieldError.MOST_SHOWN && !known.contains(error)) {
      known.add(error);
    }
    errors = known;
  }

  void add(ValuePath at, FieldError.Reason reason, @Nullable Object value, String detail) {
    String field = at.toString();
    add(new FieldError(reason, field.isEmpty() ? NO_FIELD : field, value, detail));
  }

  void invalid(ValuePath at, Object value, String detail) {
    add(at, FieldError.Reason.INVALID, value, detail);
  }

  /** An error about a combination of schemas, which names its place only in its words. */
  void composite(String detail) {
    add(FieldError.invalid(NO_FIELD, "", detail));
  }

  void merge(Violations others) {
    if (others.errors != null) {
      others.errors.forEach(this::add);
    }
    matches += others.matches;
  }

  /** Takes over what was right, and none of what was wrong. */
  void mergeMatches(Violations others) {
    matches += others.matches;
  }
}
