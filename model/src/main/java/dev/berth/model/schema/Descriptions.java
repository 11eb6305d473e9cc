package dev.berth.model.schema;

import java.util.List;
import java.util.Map;

/**
 * What types and fields are for, in words. They are megabytes of text, which are held for as long
 * as somebody holds this, and no longer.
 */
public final class Descriptions {
  private final List<String> texts;

  /** Where a type's begin: first its own, then its fields'. */
  private final Map<String, Integer> first;

  Descriptions(List<String> texts, Map<String, Integer> first) {
    this.texts = texts;
    this.first = first;
  }

  /** What a type is for; empty if nobody said. */
  public String of(TypeSchema type) {
    return texts.get(first(type));
  }

  /** What a field is for; empty if nobody said. */
  public String of(TypeSchema type, String field) {
    int index = type.indexOf(field);
    if (index < 0) {
      throw new IllegalArgumentException(type.name() + " has no field " + field);
    }
    return texts.get(first(type) + 1 + index);
  }

  private int first(TypeSchema type) {
    Integer found = first.get(type.name());
    if (found == null) {
      throw new IllegalArgumentException("not one of these types: " + type.name());
    }
    return found;
  }
}
