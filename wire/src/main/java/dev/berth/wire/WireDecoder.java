package dev.berth.wire;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.wire.WireField.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns a message into the tree that JSON would give. Fields that the table does not know are
 * passed over, as protobuf wants it; zeros that stand for nothing are left out, as JSON wants it.
 */
final class WireDecoder {
  private final WireInput in;
  private final SpecialForms forms;
  private int depth;
  private int counted;

  /** The values of the messages that are being read, each in its slots, the innermost last. */
  private @Nullable Object[] values = new @Nullable Object[128];

  private int top;

  /** The names of the object that is being made. */
  private String[] names = new String[64];

  WireDecoder(byte[] bytes, int from, int to) {
    this.in = new WireInput(bytes, from, to);
    this.forms = new SpecialForms(in, this);
  }

  /** The object of the message that goes to the end. */
  JsonObject message(WireMessage type) {
    descend();
    int base = top;
    top += type.slots();
    if (top > values.length) {
      values = Arrays.copyOf(values, Math.max(top, 2 * values.length));
    }
    read(type, base);
    JsonObject object = object(type, base);
    Arrays.fill(values, base, top, null);
    top = base;
    depth--;
    return object;
  }

  /** The object of the values in its slots. */
  private JsonObject object(WireMessage type, int base) {
    int size = 0;
    for (int slot = base; slot < top; slot++) {
      size += values[slot] == null ? 0 : 1;
    }
    if (size > names.length) {
      names = new String[size];
    }
    Object[] present = new Object[size];
    int next = 0;
    for (int slot = base; slot < top; slot++) {
      Object value = values[slot];
      if (value != null) {
        names[next] = type.name(slot - base);
        present[next++] =
            switch (value) {
              case List<?> list -> JsonArray.copyOf(list);
              case MapEntries map -> map.object();
              default -> value;
            };
      }
    }
    return JsonObject.ofDistinct(names, present, size);
  }

  /** A message with its length before it. */
  JsonObject nested(WireMessage type) {
    int outer = in.enter(in.length());
    JsonObject object = message(type);
    in.leave(outer);
    return object;
  }

  /** How many more levels a tree may have from here on. */
  int levelsLeft() {
    return JsonLimits.MAX_DEPTH - depth;
  }

  /** Takes note of a field or an element, of which there may not be too many. */
  private void count() {
    if (++counted > JsonLimits.REQUEST.maxValues()) {
      throw new WireException(JsonLimits.REQUEST.tooManyValues());
    }
  }

  /** How many more values a tree may have from here on. */
  int valuesLeft() {
    return JsonLimits.REQUEST.maxValues() - counted;
  }

  private void descend() {
    // A field of a message may be an array, which is a level of its own in JSON.
    depth += 2;
    if (depth >= JsonLimits.MAX_DEPTH) {
      throw new WireException("nested deeper than " + JsonLimits.MAX_DEPTH + " levels");
    }
    depth--;
  }

  private void read(WireMessage type, int base) {
    while (in.hasMore()) {
      int tag = in.tag();
      WireField field = type.field(tag >>> 3);
      if (field == null) {
        in.skip(tag);
      } else {
        read(type, field, tag & 7, base + field.slot);
      }
    }
  }

  private void read(WireMessage type, WireField field, int wireType, int slot) {
    if (field.form == Form.INLINE) {
      expect(type, field, wireType, WireInput.BYTES);
      int outer = in.enter(in.length());
      read(field.message(), slot);
      in.leave(outer);
      return;
    }
    switch (field.shape) {
      case ONE -> {
        expect(type, field, wireType, wireType(field.form));
        count();
        Object value = value(field);
        values[slot] = field.dropsZero && isZero(value) ? null : value;
      }
      case LIST -> {
        List<Object> list = list(slot);
        boolean packed = wireType == WireInput.BYTES && wireType(field.form) != WireInput.BYTES;
        if (packed) {
          int outer = in.enter(in.length());
          while (in.hasMore()) {
            add(list, value(field));
          }
          in.leave(outer);
        } else {
          expect(type, field, wireType, wireType(field.form));
          add(list, value(field));
        }
      }
      case MAP -> {
        expect(type, field, wireType, WireInput.BYTES);
        count();
        int outer = in.enter(in.length());
        entry(type, field, map(slot));
        in.leave(outer);
      }
    }
  }

  @SuppressWarnings("unchecked") // the slot of a list holds nothing else until the object is made
  private List<Object> list(int slot) {
    List<Object> list = (List<Object>) values[slot];
    if (list == null) {
      list = new ArrayList<>(4);
      values[slot] = list;
    }
    return list;
  }

  private void add(List<Object> list, @Nullable Object value) {
    count();
    if (value == null) {
      throw new WireException("an element of a list is empty");
    }
    list.add(value);
  }

  private MapEntries map(int slot) {
    MapEntries map = (MapEntries) values[slot];
    if (map == null) {
      map = new MapEntries();
      values[slot] = map;
    }
    return map;
  }

  /** An entry of a map: a message of a key and a value. What is not there is empty. */
  private void entry(WireMessage type, WireField field, MapEntries map) {
    String key = "";
    Object value = null;
    while (in.hasMore()) {
      int tag = in.tag();
      switch (tag >>> 3) {
        case 1 -> {
          expect(type, field, tag & 7, WireInput.BYTES);
          key = JsonReader.shared(in.text());
        }
        case 2 -> {
          expect(type, field, tag & 7, wireType(field.form));
          value = value(field);
        }
        default -> in.skip(tag);
      }
    }
    if (value == null) {
      value =
          switch (field.form) {
            case STRING, BYTES -> "";
            case QUANTITY -> "0";
            case MESSAGE -> JsonObject.EMPTY;
            case TIME, MICRO_TIME -> JsonNull.NULL;
            default -> null;
          };
    }
    if (value != null) {
      map.put(key, value);
    }
  }

  /** A value of the field's form; null if it is none, such as a time that was never set. */
  private @Nullable Object value(WireField field) {
    return switch (field.form) {
      case STRING -> JsonReader.shared(in.text());
      case BOOL -> in.varint() != 0;
      case INT32 -> (long) (int) in.varint();
      case INT64 -> in.varint();
      case DOUBLE -> number(Double.longBitsToDouble(in.fixed64()));
      case BYTES -> Base64.getEncoder().encodeToString(in.bytes());
      case MESSAGE -> nested(field.message());
      case INLINE -> throw new IllegalStateException("an inlined message has no value");
      case QUANTITY,
          TIME,
          MICRO_TIME,
          INT_OR_STRING,
          JSON,
          STRINGS,
          SCHEMA_OR_ARRAY,
          SCHEMA_OR_BOOL,
          SCHEMA_OR_STRINGS ->
          forms.read(field);
    };
  }

  private static Object number(double value) {
    if (!Double.isFinite(value)) {
      throw new WireException("a number is not finite");
    }
    if (value == (long) value && Math.abs(value) < 1e15) {
      return (long) value;
    }
    return new JsonNumber(Double.toString(value));
  }

  private static boolean isZero(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case Boolean flag -> !flag;
      case Long number -> number == 0;
      default -> false;
    };
  }

  private static int wireType(Form form) {
    return switch (form) {
      case BOOL, INT32, INT64 -> WireInput.VARINT;
      case DOUBLE -> WireInput.FIXED64;
      default -> WireInput.BYTES;
    };
  }

  private static void expect(WireMessage type, WireField field, int found, int expected) {
    if (found != expected) {
      throw new WireException(
          "the field %s (%d) of %s has wire type %d, expected %d"
              .formatted(field.name, field.number, type.name, found, expected));
    }
  }
}
