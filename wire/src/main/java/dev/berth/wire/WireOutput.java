package dev.berth.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Writes the parts of protobuf from the end to the beginning, so that the length of a message is
 * known when it goes before it: what is written last comes first.
 */
final class WireOutput {
  private byte[] buffer;

  /** Where what was written begins. */
  private int begin;

  WireOutput(int capacity) {
    this.buffer = new byte[capacity];
    this.begin = capacity;
  }

  /** How many bytes were written; the difference of two is the length of what lies between. */
  int size() {
    return buffer.length - begin;
  }

  void clear() {
    begin = buffer.length;
  }

  byte[] toBytes() {
    return Arrays.copyOfRange(buffer, begin, buffer.length);
  }

  private void reserve(int count) {
    if (begin < count) {
      int size = size();
      int capacity = Math.max(buffer.length * 2, Math.addExact(size, count));
      byte[] larger = new byte[capacity];
      System.arraycopy(buffer, begin, larger, capacity - size, size);
      buffer = larger;
      begin = capacity - size;
    }
  }

  void varint(long value) {
    int length = 1;
    for (long rest = value >>> 7; rest != 0; rest >>>= 7) {
      length++;
    }
    reserve(length);
    begin -= length;
    int at = begin;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[at] = (byte) rest;
  }

  void tag(int number, int wireType) {
    varint(((long) number << 3) | wireType);
  }

  /** A field of a number. */
  void varint(int number, long value) {
    varint(value);
    tag(number, WireInput.VARINT);
  }

  /** A field of a fraction. */
  void fixed64(int number, long bits) {
    reserve(8);
    begin -= 8;
    for (int i = 0; i < 8; i++) {
      buffer[begin + i] = (byte) (bits >>> (8 * i));
    }
    tag(number, WireInput.FIXED64);
  }

  /** A field of text. */
  void text(int number, String text) {
    int before = size();
    text(text);
    close(number, before);
  }

  void bytes(int number, byte[] bytes) {
    int before = size();
    raw(bytes);
    close(number, before);
  }

  void raw(byte[] bytes) {
    reserve(bytes.length);
    begin -= bytes.length;
    System.arraycopy(bytes, 0, buffer, begin, bytes.length);
  }

  /** Puts length and tag before what was written since there was so much. */
  void close(int number, int sizeBefore) {
    varint(size() - sizeBefore);
    tag(number, WireInput.BYTES);
  }

  private void text(String text) {
    int length = text.length();
    reserve(length);
    int at = begin - length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        raw(text.getBytes(UTF_8));
        return;
      }
      buffer[at + i] = (byte) c;
    }
    begin = at;
  }
}
