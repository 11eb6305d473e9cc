package dev.berth.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * Reads the parts of protobuf: numbers, and runs of bytes with their length. Reads no byte beyond
 * the end it was given, whatever the bytes say.
 */
final class WireInput {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  private static final int GROUP = 3;
  private static final int GROUP_END = 4;
  static final int FIXED32 = 5;

  private final byte[] bytes;
  private int position;

  /** Where the message that is being read ends. */
  private int end;

  WireInput(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.position = from;
    this.end = to;
  }

  boolean hasMore() {
    return position < end;
  }

  int position() {
    return position;
  }

  byte[] array() {
    return bytes;
  }

  /** Begins a message of a length that was read; returns what {@link #leave} wants. */
  int enter(int length) {
    int outer = end;
    end = position + length;
    return outer;
  }

  void leave(int outer) {
    position = end;
    end = outer;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte b = next();
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new WireException("a number has more than ten bytes at offset " + position);
  }

  private byte next() {
    if (position >= end) {
      throw new WireException("the data ends too early, at offset " + position);
    }
    return bytes[position++];
  }

  /** The number of a field and, in the lowest three bits, the type of its bytes. */
  int tag() {
    long tag = varint();
    int type = (int) tag & 7;
    if (tag >>> 3 == 0 || tag >>> 3 > 0x1fff_ffff || type > FIXED32 || type == GROUP_END) {
      throw new WireException("there is no field at offset " + position);
    }
    return (int) tag;
  }

  /** The length of the bytes that follow, all of which are there. */
  int length() {
    long length = varint();
    if (length < 0 || length > end - position) {
      throw new WireException("a length reaches beyond the data at offset " + position);
    }
    return (int) length;
  }

  long fixed64() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 8) {
      value |= (next() & 0xffL) << shift;
    }
    return value;
  }

  byte[] bytes() {
    int length = length();
    byte[] copy = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return copy;
  }

  String text() {
    int length = length();
    int from = position;
    position += length;
    int all = 0;
    for (int i = from; i < position; i++) {
      all |= bytes[i];
    }
    if (all >= 0) {
      return new String(bytes, from, length, ISO_8859_1);
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length)).toString();
    } catch (CharacterCodingException e) {
      throw new WireException("a string is not UTF-8 at offset " + from);
    }
  }

  /** Passes over the value of a field that nobody here knows. */
  void skip(int tag) {
    int groups = 0;
    int type = tag & 7;
    do {
      switch (type) {
        case VARINT -> varint();
        case FIXED64 -> skipBytes(8);
        case BYTES -> skipBytes(length());
        case FIXED32 -> skipBytes(4);
        case GROUP -> groups++;
        case GROUP_END -> groups--;
        default -> throw new WireException("there is no field at offset " + position);
      }
      if (groups > 0) {
        type = (int) varint() & 7;
      }
    } while (groups > 0);
  }

  private void skipBytes(int count) {
    if (count > end - position) {
      throw new WireException("the data ends too early, at offset " + end);
    }
    position += count;
  }
}
