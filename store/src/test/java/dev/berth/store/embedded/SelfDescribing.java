package dev.berth.store.embedded;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Values that know which key they belong to, and whether they are whole. */
final class SelfDescribing {

  private SelfDescribing() {}

  /** Key length, key, noise, and a checksum over all of that. */
  static byte[] value(String key, SplittableRandom random, int noise) {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    byte[] filler = new byte[noise];
    random.nextBytes(filler);
    ByteBuffer value = ByteBuffer.allocate(Integer.BYTES + text.length + noise + Long.BYTES);
    value.putInt(text.length).put(text).put(filler);
    return value.putLong(crc(value.array(), value.position())).array();
  }

  static boolean isWhole(String key, byte[] value) {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(value);
    int end = value.length - Long.BYTES;
    return end >= Integer.BYTES + text.length
        && buffer.getLong(end) == crc(value, end)
        && buffer.getInt(0) == text.length
        && Arrays.equals(value, 4, 4 + text.length, text, 0, text.length);
  }

  /** The checksum that a value ends with. */
  static long sum(byte[] value) {
    return ByteBuffer.wrap(value).getLong(value.length - Long.BYTES);
  }

  private static long crc(byte[] bytes, int length) {
    var crc = new CRC32();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }
}
