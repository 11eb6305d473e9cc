package dev.berth.serving.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** A protobuf message that is being written. Fields that have their default are left out. */
final class ProtoMessage {
  private static final int VARINT = 0;
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

  /** A message counts as present also when it is empty. */
  ProtoMessage put(int field, ProtoMessage message) {
    return put(field, message.toBytes());
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
