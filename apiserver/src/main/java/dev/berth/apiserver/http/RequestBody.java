package dev.berth.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Reads bodies of requests, as far as it is allowed to. */
final class RequestBody {

  /**
   * How much of a body that is too long is read all the same. A client that is still sending when
   * the connection closes may lose the answer that says why.
   */
  private static final int DROPPED_BYTES = 8 * 1024 * 1024;

  private RequestBody() {}

  static byte[] read(Request request, int maxBytes) {
    long announced = request.getLength();
    try (InputStream in = Content.Source.asInputStream(request)) {
      if (announced > maxBytes) {
        if (!request.getHeaders().contains(HttpHeader.EXPECT)) {
          drop(in);
        }
        throw new BodyTooLargeException(maxBytes);
      }
      byte[] body = in.readNBytes(announced >= 0 ? (int) announced : maxBytes);
      if (announced < 0 && in.read() >= 0) {
        drop(in);
        throw new BodyTooLargeException(maxBytes);
      }
      return body;
    } catch (IOException e) {
      throw new ClientGoneException(e);
    }
  }

  private static void drop(InputStream in) throws IOException {
    byte[] buffer = new byte[16 * 1024];
    int dropped = 0;
    while (dropped < DROPPED_BYTES) {
      int read = in.read(buffer);
      if (read < 0) {
        return;
      }
      dropped += read;
    }
  }
}
