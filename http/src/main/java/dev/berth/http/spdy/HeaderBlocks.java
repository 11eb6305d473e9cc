package dev.berth.http.spdy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Header fields as SPDY writes them: all blocks of a connection, in one direction, are one
 * compressed stream, so each must be read, whether it is of interest or not. For one thread at a
 * time in each direction.
 */
final class HeaderBlocks implements AutoCloseable {
  /** What the fields of one stream may take; ours have three or four. */
  private static final int MAX_BYTES = 16 * 1024;

  private static final byte[] DICTIONARY = HeaderDictionary.bytes();

  private final Inflater inflater = new Inflater();
  private final Deflater deflater = new Deflater();

  HeaderBlocks() {
    deflater.setDictionary(DICTIONARY);
  }

  /** The fields, by names in any case. */
  Map<String, String> read(byte[] bytes, int offset, int length) throws ProtocolException {
    ByteBuffer block = ByteBuffer.wrap(inflate(bytes, offset, length));
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    try {
      int count = block.getInt();
      for (int i = 0; i < count; i++) {
        String name = text(block);
        fields.put(name, text(block));
      }
      return fields;
    } catch (BufferUnderflowException _) {
      throw new ProtocolException("A SPDY header block is shorter than it says.");
    }
  }

  private static String text(ByteBuffer block) throws ProtocolException {
    int length = block.getInt();
    if (length < 0 || length > block.remaining()) {
      throw new ProtocolException("A SPDY header field is longer than its block.");
    }
    byte[] bytes = new byte[length];
    block.get(bytes);
    return new String(bytes, UTF_8);
  }

  private byte[] inflate(byte[] bytes, int offset, int length) throws ProtocolException {
    inflater.setInput(bytes, offset, length);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    byte[] piece = new byte[1024];
    try {
      while (true) {
        int read = inflater.inflate(piece);
        block.write(piece, 0, read);
        if (block.size() > MAX_BYTES) {
          throw new ProtocolException("A SPDY header block is too large.");
        }
        if (inflater.needsDictionary()) {
          inflater.setDictionary(DICTIONARY);
        } else if (read == 0) {
          return block.toByteArray();
        }
      }
    } catch (DataFormatException | IllegalArgumentException e) {
      throw new ProtocolException("A SPDY header block is damaged: " + e.getMessage());
    }
  }

  byte[] write(Map<String, String> fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    writeInt(block, fields.size());
    fields.forEach((name, value) -> {
      writeText(block, name);
      writeText(block, value);
    });
    deflater.setInput(block.toByteArray());
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    byte[] piece = new byte[1024];
    int read = piece.length;
    while (read == piece.length) {
      read = deflater.deflate(piece, 0, piece.length, Deflater.SYNC_FLUSH);
      compressed.write(piece, 0, read);
    }
    return compressed.toByteArray();
  }

  private static void writeText(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    writeInt(block, bytes.length);
    block.writeBytes(bytes);
  }

  private static void writeInt(ByteArrayOutputStream block, int value) {
    block.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
  }

  /** Gives back memory that Java does not count. */
  @Override
  public void close() {
    inflater.end();
    deflater.end();
  }
}
