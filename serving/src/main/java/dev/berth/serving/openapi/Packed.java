package dev.berth.serving.openapi;

import dev.berth.serving.wire.EntityTag;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A document as it is kept: compressed to a tenth of its size, which is also how most clients ask
 * for it.
 */
final class Packed {
  private final byte[] gzip;
  private final String hash;

  private Packed(byte[] gzip, String hash) {
    this.gzip = gzip;
    this.hash = hash;
  }

  byte[] gzip() {
    return gzip;
  }

  /** The hash of the document itself, as clients compare it. */
  String hash() {
    return hash;
  }

  static Packed of(byte[] document) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Packed(bytes.toByteArray(), EntityTag.hash(document));
  }

  byte[] unpacked() {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
