package dev.berth.agent.image;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a tar archive entry by entry: the ustar form with pax headers and GNU's long names, which
 * are what images are made of. Names are as they stand there; who uses them must not trust them.
 */
final class TarReader {
  private static final int BLOCK = 512;

  /** No header of an honest archive is larger. */
  private static final long LARGEST_HEADER = 1 << 20;

  /**
   * One entry.
   *
   * @param type as in the archive: {@code 0} a file, {@code 1} a hard link, {@code 2} a symbolic
   *     link, {@code 5} a directory
   * @param link what a link leads to
   */
  record Entry(
      String name,
      char type,
      String link,
      long size,
      int mode,
      int user,
      int group,
      long modified) {}

  private final InputStream input;
  private long left;
  private long padding;

  TarReader(InputStream input) {
    this.input = input;
  }

  /** The next entry; its content can be read until the next call. */
  Optional<Entry> next() throws IOException {
    Map<String, String> extended = new HashMap<>();
    while (true) {
      input.skipNBytes(left + padding);
      left = 0;
      padding = 0;
      byte[] header = input.readNBytes(BLOCK);
      if (header.length < BLOCK || isEmpty(header)) {
        return Optional.empty();
      }
      long size = number(header, 124, 12);
      char type = header[156] == 0 ? '0' : (char) header[156];
      switch (type) {
        case 'x' -> extended.putAll(records(content(size)));
        case 'g' -> content(size);
        case 'L' -> extended.put("path", text(content(size), 0, (int) size));
        case 'K' -> extended.put("linkpath", text(content(size), 0, (int) size));
        default -> {
          return Optional.of(entry(header, type, size, extended));
        }
      }
    }
  }

  private Entry entry(byte[] header, char type, long size, Map<String, String> extended) {
    String prefix =
        text(header, 257, 6).startsWith("ustar") && header[262] == 0 ? text(header, 345, 155) : "";
    String name = text(header, 0, 100);
    long length =
        extended.containsKey("size") ? Long.parseLong(extended.getOrDefault("size", "0")) : size;
    boolean hasContent = type == '0' || type == '7';
    left = hasContent ? length : 0;
    padding = (BLOCK - left % BLOCK) % BLOCK;
    return new Entry(
        extended.getOrDefault("path", prefix.isEmpty() ? name : prefix + "/" + name),
        type,
        extended.getOrDefault("linkpath", text(header, 157, 100)),
        left,
        (int) number(header, 100, 8) & 07777,
        (int) number(extended, "uid", header, 108),
        (int) number(extended, "gid", header, 116),
        number(header, 136, 12));
  }

  /** The content of the entry that was read last. */
  InputStream content() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0) {
          return -1;
        }
        int count = input.read(target, offset, (int) Math.min(length, left));
        if (count < 0) {
          throw new EOFException("the archive ends within a file");
        }
        left -= count;
        return count;
      }
    };
  }

  private byte[] content(long size) throws IOException {
    if (size > LARGEST_HEADER) {
      throw new IOException("the archive has a header of %d bytes".formatted(size));
    }
    byte[] content = input.readNBytes((int) size);
    input.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    return content;
  }

  /** Records such as {@code 18 path=some/name}, each with its length. */
  private static Map<String, String> records(byte[] content) throws IOException {
    Map<String, String> records = new HashMap<>();
    int at = 0;
    while (at < content.length) {
      int space = at;
      while (space < content.length && content[space] != ' ') {
        space++;
      }
      int length;
      try {
        length =
            Integer.parseInt(
                new String(content, at, space - at, StandardCharsets.US_ASCII).strip());
      } catch (NumberFormatException e) {
        throw new IOException("the archive has a broken pax header", e);
      }
      if (length < 5 || at + length > content.length) {
        throw new IOException("the archive has a broken pax header");
      }
      String record =
          new String(content, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
      int equals = record.indexOf('=');
      if (equals > 0) {
        records.put(record.substring(0, equals), record.substring(equals + 1));
      }
      at += length;
    }
    return records;
  }

  private static long number(Map<String, String> extended, String name, byte[] header, int offset) {
    String value = extended.get(name);
    return value == null ? number(header, offset, 8) : Long.parseLong(value);
  }

  /** Octal digits, or GNU's binary form, which begins with a set bit. */
  private static long number(byte[] header, int offset, int length) {
    if ((header[offset] & 0x80) != 0) {
      byte[] bytes = Arrays.copyOfRange(header, offset, offset + length);
      bytes[0] &= 0x7f;
      return new BigInteger(1, bytes).longValue();
    }
    String digits = text(header, offset, length).strip();
    return digits.matches("[0-7]+") ? Long.parseLong(digits, 8) : 0;
  }

  private static String text(byte[] bytes, int offset, int length) {
    int end = offset;
    int last = Math.min(offset + length, bytes.length);
    while (end < last && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, offset, end - offset, StandardCharsets.UTF_8);
  }

  private static boolean isEmpty(byte[] header) {
    for (byte each : header) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }
}
