package dev.berth.customresources.schema;

import org.jspecify.annotations.Nullable;

/**
 * Where a value stands, as validation by a schema names it: {@code spec.ports[0].name}, keys of
 * maps like fields. Written out only when something is wrong there.
 *
 * @param name of a field; empty for an element of an array
 */
record ValuePath(@Nullable ValuePath parent, String name, int index) {
  static final ValuePath ROOT = new ValuePath(null, "", 0);

  ValuePath field(String field) {
    return new ValuePath(this, field, 0);
  }

  ValuePath element(int place) {
    return new ValuePath(this, "", place);
  }

  @Override
  public String toString() {
    if (parent == null) {
      return "";
    }
    String before = parent.toString();
    if (name.isEmpty()) {
      return before + "[" + index + "]";
    }
    return before.isEmpty() ? name : before + "." + name;
  }
}
