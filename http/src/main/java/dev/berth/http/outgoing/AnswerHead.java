package dev.berth.http.outgoing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.OptionalLong;

/** The beginning of an answer: status and header fields. */
record AnswerHead(int status, Headers headers) {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int OK = 200;

  /** Reads up to the body; what a server says in between is skipped. */
  static AnswerHead read(InputStream in) throws IOException {
    AnswerHead head;
    do {
      head = one(in);
    } while (head.status < OK && head.status != SWITCHING_PROTOCOLS);
    return head;
  }

  private static AnswerHead one(InputStream in) throws IOException {
    Lines lines = new Lines(in);
    String first = lines.next();
    String[] parts = first.split(" ", 3);
    if (!parts[0].startsWith("HTTP/1.") || parts.length < 2 || !parts[1].matches("[1-9]\\d\\d")) {
      throw new ProtocolException("malformed HTTP response \"%s\"".formatted(shown(first)));
    }
    Headers headers = Headers.NONE;
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new ProtocolException("malformed HTTP header \"%s\"".formatted(shown(line)));
      }
      try {
        headers = headers.with(line.substring(0, colon), line.substring(colon + 1).strip());
      } catch (IllegalArgumentException e) {
        throw new ProtocolException("malformed HTTP header: " + e.getMessage());
      }
    }
    return new AnswerHead(Integer.parseInt(parts[1]), headers);
  }

  private static String shown(String text) {
    return text.substring(0, Math.min(text.length(), 80));
  }

  boolean isChunked() {
    return headers
        .first("Transfer-Encoding")
        .filter(value -> value.equalsIgnoreCase("chunked"))
        .isPresent();
  }

  OptionalLong contentLength() {
    return headers
        .first("Content-Length")
        .filter(value -> value.matches("\\d{1,18}"))
        .map(value -> OptionalLong.of(Long.parseLong(value)))
        .orElse(OptionalLong.empty());
  }

  /** Lines up to a bound, which all of a head share. */
  private static final class Lines {
    private final InputStream in;
    private int left = MAX_BYTES;

    Lines(InputStream in) {
      this.in = in;
    }

    String next() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (true) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException("the connection ended before the answer began");
        }
        if (left-- == 0) {
          throw new ProtocolException("the answer's headers are too large");
        }
        if (next == '\n') {
          String text = line.toString(ISO_8859_1);
          return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        }
        line.write(next);
      }
    }
  }
}
