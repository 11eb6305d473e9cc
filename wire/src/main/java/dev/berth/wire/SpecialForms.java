package dev.berth.wire;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the messages that are something else in JSON: quantities, times, and so on. */
final class SpecialForms {
  /** Of the years 0 to 9999, with some room for nanoseconds. */
  private static final long FIRST_SECOND = Instant.parse("0000-01-01T00:00:10Z").getEpochSecond();

  private static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:50Z").getEpochSecond();

  private final WireInput in;
  private final WireDecoder decoder;

  SpecialForms(WireInput in, WireDecoder decoder) {
    this.in = in;
    this.decoder = decoder;
  }

  /** The value of a message with its length before it; null if it is as good as absent. */
  @Nullable Object read(WireField field) {
    int outer = in.enter(in.length());
    Object value =
        switch (field.form) {
          case QUANTITY -> quantity();
          case TIME -> time(false);
          case MICRO_TIME -> time(true);
          case INT_OR_STRING -> intOrString();
          case JSON -> json();
          case STRINGS -> JsonArray.copyOf(strings(1));
          case SCHEMA_OR_ARRAY -> schemaOrArray(field.message());
          case SCHEMA_OR_BOOL -> schemaOrBool(field.message());
          case SCHEMA_OR_STRINGS -> schemaOrStrings(field.message());
          default -> throw new IllegalStateException("not a form of its own: " + field.form);
        };
    in.leave(outer);
    return value;
  }

  private String quantity() {
    String text = "";
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.BYTES)) {
        text = in.text();
      } else {
        in.skip(tag);
      }
    }
    return text.isEmpty() ? "0" : JsonReader.shared(text);
  }

  private @Nullable String time(boolean micro) {
    if (!in.hasMore()) {
      return null;
    }
    long seconds = 0;
    long nanos = 0;
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.VARINT)) {
        seconds = in.varint();
      } else if (is(tag, 2, WireInput.VARINT)) {
        nanos = (int) in.varint();
      } else {
        in.skip(tag);
      }
    }
    // Years of more digits can be written, but not read. The nanoseconds reach two seconds at most.
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
      throw new WireException("there is no time of " + seconds + " seconds");
    }
    Instant instant = Instant.ofEpochSecond(seconds, nanos);
    return JsonReader.shared(micro ? Times.formatMicro(instant) : Times.format(instant));
  }

  private Object intOrString() {
    long type = 0;
    long number = 0;
    String text = "";
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.VARINT)) {
        type = in.varint();
      } else if (is(tag, 2, WireInput.VARINT)) {
        number = (int) in.varint();
      } else if (is(tag, 3, WireInput.BYTES)) {
        text = in.text();
      } else {
        in.skip(tag);
      }
    }
    if (type != 0 && type != 1) {
      throw new WireException("a number or string is of neither type, but of " + type);
    }
    return type == 0 ? (Object) number : JsonReader.shared(text);
  }

  /** JSON; or, where a program put an object of its own there, that object's envelope. */
  private @Nullable Object json() {
    byte[] raw = {};
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.BYTES)) {
        raw = in.bytes();
      } else {
        in.skip(tag);
      }
    }
    if (raw.length == 0) {
      return null;
    }
    int levels = decoder.levelsLeft();
    if (Protobuf.isEnvelope(raw)) {
      throw new WireException("an object inside another is not JSON");
    }
    try {
      Object value =
          JsonReader.part(
              raw,
              new JsonLimits(
                  JsonLimits.REQUEST.maxBytes(),
                  Math.max(1, levels),
                  Math.max(1, decoder.valuesLeft())));
      return value instanceof JsonNull ? null : value;
    } catch (JsonException e) {
      throw new WireException("an object inside another is not JSON: " + e.getMessage());
    }
  }

  private List<Object> strings(int number) {
    List<Object> strings = new ArrayList<>();
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, number, WireInput.BYTES)) {
        strings.add(JsonReader.shared(in.text()));
      } else {
        in.skip(tag);
      }
    }
    return strings;
  }

  private Object schemaOrArray(WireMessage schema) {
    List<Object> all = new ArrayList<>();
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.BYTES)) {
        Object only = decoder.nested(schema);
        while (in.hasMore()) {
          in.skip(in.tag());
        }
        return only;
      } else if (is(tag, 2, WireInput.BYTES)) {
        all.add(decoder.nested(schema));
      } else {
        in.skip(tag);
      }
    }
    return JsonArray.copyOf(all);
  }

  private Object schemaOrBool(WireMessage schema) {
    boolean allows = false;
    Object own = null;
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.VARINT)) {
        allows = in.varint() != 0;
      } else if (is(tag, 2, WireInput.BYTES)) {
        own = decoder.nested(schema);
      } else {
        in.skip(tag);
      }
    }
    return own == null ? (Object) allows : own;
  }

  private Object schemaOrStrings(WireMessage schema) {
    Object own = null;
    List<Object> strings = new ArrayList<>();
    while (in.hasMore()) {
      int tag = in.tag();
      if (is(tag, 1, WireInput.BYTES)) {
        own = decoder.nested(schema);
      } else if (is(tag, 2, WireInput.BYTES)) {
        strings.add(JsonReader.shared(in.text()));
      } else {
        in.skip(tag);
      }
    }
    return own == null ? JsonArray.copyOf(strings) : own;
  }

  private static boolean is(int tag, int number, int wireType) {
    return tag == ((number << 3) | wireType);
  }
}
