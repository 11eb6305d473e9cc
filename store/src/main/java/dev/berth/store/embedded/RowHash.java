package dev.berth.store.embedded;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * What makes a row recognize itself: 64 bits over its key, revision and value. SQLite's pages carry
 * no checksum, so without it a flipped bit would be served as data. Two CRCs, because the processor
 * computes them at many gigabytes a second. Used by one thread.
 */
final class RowHash {

  private final CRC32C castagnoli = new CRC32C();
  private final CRC32 ethernet = new CRC32();

  long of(String key, long revision, byte[] value) {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    byte[] numbers =
        ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
            .putInt(text.length)
            .putLong(revision)
            .array();
    castagnoli.reset();
    castagnoli.update(numbers);
    castagnoli.update(text);
    castagnoli.update(value);
    ethernet.reset();
    ethernet.update(numbers);
    ethernet.update(text);
    ethernet.update(value);
    return castagnoli.getValue() << Integer.SIZE | ethernet.getValue();
  }

  /** A row's part in the sum of all rows, spread out so that different rows do not cancel. */
  static long share(long hash) {
    long spread = hash;
    spread = (spread ^ spread >>> 30) * 0xbf58476d1ce4e5b9L;
    spread = (spread ^ spread >>> 27) * 0x94d049bb133111ebL;
    return spread ^ spread >>> 31;
  }
}
