package dev.berth.apiserver.wire;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message: its fields by number, and the names that its object has in JSON. */
final class WireMessage {
  final String name;

  /** In the order of their numbers. */
  final WireField[] fields;

  private final @Nullable WireField[] byNumber;

  /** The names of all slots, those of inlined messages in their place; null until linked. */
  private String @Nullable [] names;

  WireMessage(String name, List<WireField> fields) {
    this.name = name;
    this.fields = fields.toArray(new WireField[0]);
    int highest = fields.stream().mapToInt(field -> field.number).max().orElse(0);
    this.byNumber = new @Nullable WireField[highest + 1];
    for (WireField field : fields) {
      byNumber[field.number] = field;
    }
  }

  /** The field of a number, or null if this is a message of somebody who knows more. */
  @Nullable WireField field(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }

  /** Gives each field its slot. Inlined messages go first, and none inlines itself. */
  String[] link(WireTypes types) {
    if (names != null) {
      return names;
    }
    List<String> all = new ArrayList<>();
    for (WireField field : fields) {
      field.link(types);
      field.slot = all.size();
      if (field.form == WireField.Form.INLINE) {
        all.addAll(List.of(field.message().link(types)));
      } else {
        all.add(field.name);
      }
    }
    names = all.toArray(new String[0]);
    return names;
  }

  int slots() {
    return names == null ? 0 : names.length;
  }

  /** The object of the values in its slots; lists are still open. */
  JsonObject object(@Nullable Object[] slots) {
    String[] present = new String[slots.length];
    Object[] values = new Object[slots.length];
    int size = 0;
    for (int i = 0; i < slots.length; i++) {
      Object value = slots[i];
      if (value != null && names != null) {
        present[size] = names[i];
        values[size++] = closed(value);
      }
    }
    return JsonObject.ofDistinct(present, values, size);
  }

  private static Object closed(Object value) {
    return switch (value) {
      case List<?> list -> JsonArray.copyOf(list);
      case JsonObject.Builder map -> map.build();
      default -> value;
    };
  }
}
