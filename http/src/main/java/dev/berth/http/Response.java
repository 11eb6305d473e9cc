package dev.berth.http;

import java.util.List;

/**
 * A whole response. Its body is the concatenation of its parts, which are sent as they are, so that
 * a list of stored objects is never copied into one array. Nobody may change a part afterwards.
 */
public record Response(int status, Headers headers, List<byte[]> body) {

  public Response {
    body = List.copyOf(body);
  }

  public static Response of(int status, String contentType, byte[] body) {
    return new Response(status, Headers.of("Content-Type", contentType), List.of(body));
  }

  public long length() {
    long length = 0;
    for (byte[] part : body) {
      length += part.length;
    }
    return length;
  }
}
