package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;

/**
 * HTTP/1.1's chunked encoding, each chunk whole. Jetty's own sends the line end of a chunk with the
 * next one, so that clients which wait for it, such as Python's, learn of each event of a watch
 * only when the next one happens.
 *
 * <p>Jetty must not know: it is told of a body that ends with the connection, and a field that it
 * takes for somebody's own says how the body is to be read.
 */
final class PromptFraming implements Chunks.Framing {
  static final HttpField FIELD = new HttpField(null, "Transfer-Encoding", "chunked");

  private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);
  private static final byte[] LAST = "0\r\n\r\n".getBytes(US_ASCII);

  @Override
  public ByteBuffer frame(ByteBuffer bytes, boolean last) {
    int length = bytes.remaining();
    byte[] size = Integer.toHexString(length).getBytes(US_ASCII);
    ByteBuffer framed =
        ByteBuffer.allocate(size.length + length + 2 * LINE_END.length + LAST.length);
    if (length > 0) {
      framed.put(size).put(LINE_END).put(bytes).put(LINE_END);
    }
    if (last) {
      framed.put(LAST);
    }
    return framed.flip();
  }
}
