package dev.berth.serving.openapi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
    return new Packed(bytes.toByteArray(), hash(document));
  }

  static String hash(byte[] document) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(document);
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-512.", e);
    }
  }

  byte[] unpacked() {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
