package dev.berth.wire;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * Turns a tree into a message, from its last field to its first. Fields of the tree that the
 * message does not have are left out; a value of the wrong type is an error of whoever made the
 * tree, since no client's object gets so far in the wrong shape.
 */
final class WireEncoder {
  private final WireOutput out;

  /**
   * The fields of the objects that are being written, the innermost last: of each, its slot and its
   * place in the object, in the order of slots.
   */
  private long[] order = new long[64];

  private int top;

  WireEncoder(WireOutput out) {
    this.out = out;
  }

  void message(WireMessage type, JsonObject object) {
    int begin = top;
    if (begin + object.size() > order.length) {
      order = Arrays.copyOf(order, Math.max(2 * order.length, begin + object.size()));
    }
    for (int i = 0; i < object.size(); i++) {
      int slot = type.slot(object.name(i));
      if (slot >= 0 && !(object.value(i) instanceof JsonNull)) {
        insert(begin, ((long) slot << 32) | i);
      }
    }
    write(type, 0, object, begin, top);
    top = begin;
  }

  /** Most objects have their fields nearly in order. */
  private void insert(int begin, long entry) {
    int at = top++;
    while (at > begin && order[at - 1] > entry) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = entry;
  }

  /** Writes the fields of a message from its last to its first; its slots begin somewhere. */
  private void write(WireMessage type, int base, JsonObject object, int from, int to) {
    int end = to;
    while (end > from) {
      long last = order[end - 1];
      WireField field = type.holder((int) (last >>> 32) - base);
      if (field.form == WireField.Form.INLINE) {
        int first = end;
        while (first > from && order[first - 1] >>> 32 >= base + field.slot) {
          first--;
        }
        int before = out.size();
        write(field.message(), base + field.slot, object, first, end);
        out.close(field.number, before);
        end = first;
      } else {
        write(field, object.value((int) last));
        end--;
      }
    }
  }

  private void write(WireField field, Object value) {
    switch (field.shape) {
      case ONE -> value(field, field.number, value);
      case LIST -> {
        JsonArray array = expect(JsonArray.class, field, value);
        for (int i = array.size() - 1; i >= 0; i--) {
          value(field, field.number, array.get(i));
        }
      }
      case MAP -> {
        JsonObject map = expect(JsonObject.class, field, value);
        for (int i = map.size() - 1; i >= 0; i--) {
          int before = out.size();
          value(field, 2, map.value(i));
          out.text(1, map.name(i));
          out.close(field.number, before);
        }
      }
    }
  }

  private void value(WireField field, int number, Object value) {
    switch (field.form) {
      case STRING -> out.text(number, expect(String.class, field, value));
      case BOOL -> out.varint(number, expect(Boolean.class, field, value) ? 1 : 0);
      case INT32, INT64 -> out.varint(number, expect(Long.class, field, value));
      case DOUBLE -> out.fixed64(number, Double.doubleToLongBits(fraction(field, value)));
      case BYTES -> out.bytes(number, decoded(expect(String.class, field, value)));
      case INLINE -> throw new IllegalStateException("an inlined message has no value");
      default -> {
        int before = out.size();
        // A null in a list or a map stands for a value that was never set, such as a time.
        if (!(value instanceof JsonNull)) {
          content(field, value);
        }
        out.close(number, before);
      }
    }
  }

  /** What a message holds that stands for a value. */
  private void content(WireField field, Object value) {
    switch (field.form) {
      case MESSAGE -> message(field.message(), expect(JsonObject.class, field, value));
      case QUANTITY -> out.text(1, value.toString());
      case TIME -> time(Times.parse(expect(String.class, field, value)), false);
      case MICRO_TIME -> time(Times.parse(expect(String.class, field, value)), true);
      case INT_OR_STRING -> intOrString(field, value);
      case JSON -> out.bytes(1, JsonWriter.toBytes(value));
      case STRINGS -> strings(1, expect(JsonArray.class, field, value), field);
      case SCHEMA_OR_ARRAY -> {
        if (value instanceof JsonArray array) {
          for (int i = array.size() - 1; i >= 0; i--) {
            schema(2, field, array.get(i));
          }
        } else {
          schema(1, field, value);
        }
      }
      case SCHEMA_OR_BOOL -> {
        if (value instanceof Boolean allows) {
          out.varint(1, allows ? 1 : 0);
        } else {
          schema(2, field, value);
          out.varint(1, 1);
        }
      }
      case SCHEMA_OR_STRINGS -> {
        if (value instanceof JsonArray array) {
          strings(2, array, field);
        } else {
          schema(1, field, value);
        }
      }
      default -> throw new IllegalStateException("not a message: " + field.form);
    }
  }

  private void schema(int number, WireField field, Object value) {
    int before = out.size();
    message(field.message(), expect(JsonObject.class, field, value));
    out.close(number, before);
  }

  private void strings(int number, JsonArray array, WireField field) {
    for (int i = array.size() - 1; i >= 0; i--) {
      out.text(number, expect(String.class, field, array.get(i)));
    }
  }

  /** Kubernetes reads no more of a time than JSON has of it. */
  private void time(Instant instant, boolean micro) {
    out.varint(2, micro ? instant.getNano() / 1000 * 1000 : 0);
    out.varint(1, instant.getEpochSecond());
  }

  private void intOrString(WireField field, Object value) {
    String text = value instanceof String string ? string : "";
    out.text(3, text);
    out.varint(2, value instanceof String ? 0 : expect(Long.class, field, value));
    out.varint(1, value instanceof String ? 1 : 0);
  }

  private static byte[] decoded(String base64) {
    // Kubernetes' readers of JSON pass over line breaks.
    return base64.indexOf('\n') < 0 && base64.indexOf('\r') < 0
        ? Base64.getDecoder().decode(base64)
        : Base64.getMimeDecoder().decode(base64);
  }

  private static double fraction(WireField field, Object value) {
    return value instanceof JsonNumber number
        ? number.approximate()
        : expect(Long.class, field, value);
  }

  private static <T> T expect(Class<T> type, WireField field, Object value) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw new IllegalArgumentException(
        "The field %s cannot be written: it holds %s.".formatted(field.name, value));
  }
}
