package dev.berth.serving.connect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.http.Headers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** An HTML document of another server whose links are to lead through the proxy. */
final class ProxiedPage {
  /**
   * Larger documents are passed on as they are: each is in memory while its links are changed.
   * Upstream has no such limit.
   */
  static final int MOST_BYTES = 4 << 20;

  private static final String ENCODING = "Content-Encoding";

  private ProxiedPage() {}

  /** Whether an answer is one that can be read; a redirection is not looked into. */
  static boolean is(Headers answer) {
    String type = answer.first("Content-Type").orElse("");
    String encoding = answer.first(ENCODING).orElse("");
    return type.split(";", 2)[0].strip().equals("text/html")
        && !answer.has("Location")
        && (encoding.isEmpty() || encoding.equals("gzip") || encoding.equals("deflate"));
  }

  /**
   * The document with other links; empty if it is too large.
   *
   * @throws IOException if it is not encoded as its header says
   */
  static Optional<byte[]> changed(byte[] sent, Headers answer, UnaryOperator<String> change)
      throws IOException {
    String encoding = answer.first(ENCODING).orElse("");
    byte[] page;
    try (InputStream decoded = decoded(new ByteArrayInputStream(sent), encoding)) {
      page = decoded.readNBytes(MOST_BYTES + 1);
    }
    if (page.length > MOST_BYTES) {
      return Optional.empty();
    }
    // Tags and URLs are ASCII in all usual encodings; the other bytes stay as they are.
    String changed = HtmlLinks.change(new String(page, ISO_8859_1), change);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream encoded = encoded(bytes, encoding)) {
      encoded.write(changed.getBytes(ISO_8859_1));
    }
    return Optional.of(bytes.toByteArray());
  }

  private static InputStream decoded(InputStream bytes, String encoding) throws IOException {
    return switch (encoding) {
      case "gzip" -> new GZIPInputStream(bytes);
      case "deflate" -> new InflaterInputStream(bytes, new Inflater(true));
      default -> bytes;
    };
  }

  private static OutputStream encoded(OutputStream bytes, String encoding) throws IOException {
    return switch (encoding) {
      case "gzip" -> new GZIPOutputStream(bytes);
      case "deflate" ->
          new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_COMPRESSION, true));
      default -> bytes;
    };
  }
}
