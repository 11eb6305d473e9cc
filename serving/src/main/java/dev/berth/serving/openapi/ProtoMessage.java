package dev.berth.serving.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.io.ByteArrayOutputStream;

/** A protobuf message that is being written. Fields that have their default are left out. */
final class ProtoMessage {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  ProtoMessage put(int field, String text) {
    return text.isEmpty() ? this : put(field, text.getBytes(UTF_8));
  }

  ProtoMessage put(int field, boolean flag) {
    if (flag) {
      varint(((long) field << 3) | VARINT);
      varint(1);
    }
    return this;
  }

  ProtoMessage put(int field, long number) {
    if (number != 0) {
      varint(((long) field << 3) | VARINT);
      varint(number);
    }
    return this;
  }

  ProtoMessage put(int field, double number) {
    return number == 0 ? this : choose(field, number);
  }

  /** One of several fields of which there is at most one: it is there also if it is zero. */
  ProtoMessage choose(int field, double number) {
    varint(((long) field << 3) | FIXED_64);
    long bits = Double.doubleToLongBits(number);
    for (int i = 0; i < Long.BYTES; i++) {
      out.write((int) (bits >>> (8 * i)));
    }
    return this;
  }

  ProtoMessage choose(int field, boolean flag) {
    varint(((long) field << 3) | VARINT);
    varint(flag ? 1 : 0);
    return this;
  }

  ProtoMessage choose(int field, String text) {
    return put(field, text.getBytes(UTF_8));
  }

  /** A message counts as present also when it is empty. */
  ProtoMessage put(int field, ProtoMessage message) {
    return put(field, message.toBytes());
  }

  /** The pieces of YAML that a document has of fields that begin with {@code x-}. */
  void putExtensions(int field, JsonObject from) {
    from.forEach((name, value) -> {
      if (name.startsWith("x-")) {
        put(field, named(name, yaml(value)));
      }
    });
  }

  /** One field of an object whose fields are free, as the messages of OpenAPI have them. */
  static ProtoMessage named(String name, ProtoMessage value) {
    return new ProtoMessage().put(1, name).put(2, value);
  }

  /** What has no message of its own there is a piece of YAML, for which JSON will do. */
  static ProtoMessage yaml(Object value) {
    return new ProtoMessage().put(2, JsonWriter.toText(value) + "\n");
  }

  private ProtoMessage put(int field, byte[] bytes) {
    varint(((long) field << 3) | LENGTH_DELIMITED);
    varint(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
