package dev.berth.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message: its fields by number, and the slots that the fields of its object have in JSON, those
 * of inlined messages in their place.
 */
final class WireMessage {
  final String name;

  private final List<WireField> fields;
  private final @Nullable WireField[] byNumber;

  /** By slot: the names in JSON, and the fields that hold the slots, inlined ones included. */
  private String[] names = {};

  private WireField[] holders = {};
  private final Map<String, Integer> slots = new HashMap<>();
  private boolean linked;

  WireMessage(String name, List<WireField> fields) {
    this.name = name;
    this.fields = List.copyOf(fields);
    int highest = fields.stream().mapToInt(field -> field.number).max().orElse(0);
    this.byNumber = new @Nullable WireField[highest + 1];
    for (WireField field : fields) {
      byNumber[field.number] = field;
    }
  }

  /** Gives each field its slot. Inlined messages go first, and none inlines itself. */
  void link(WireTypes types) {
    if (linked) {
      return;
    }
    linked = true;
    List<String> all = new ArrayList<>();
    List<WireField> holding = new ArrayList<>();
    for (WireField field : fields) {
      field.link(types);
      field.slot = all.size();
      if (field.form == WireField.Form.INLINE) {
        field.message().link(types);
        all.addAll(List.of(field.message().names));
      } else {
        all.add(field.name);
      }
      while (holding.size() < all.size()) {
        holding.add(field);
      }
    }
    names = all.toArray(new String[0]);
    holders = holding.toArray(new WireField[0]);
    for (int slot = 0; slot < names.length; slot++) {
      slots.put(names[slot], slot);
    }
  }

  /** The field of a number, or null if this is a message of somebody who knows more. */
  @Nullable WireField field(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }

  int slots() {
    return names.length;
  }

  /** The slot of a field of the object, or -1 if the message has no place for it. */
  int slot(String field) {
    Integer slot = slots.get(field);
    return slot == null ? -1 : slot;
  }

  String name(int slot) {
    return names[slot];
  }

  /** The field that holds a slot: an inlined message holds several. */
  WireField holder(int slot) {
    return holders[slot];
  }
}
