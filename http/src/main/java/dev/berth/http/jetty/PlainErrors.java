package dev.berth.http.jetty;

import dev.berth.http.Response;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/**
 * Answers that never reach the REST layer, such as 431: one line of text instead of Jetty's page.
 */
final class PlainErrors implements Request.Handler {
  private static final String CONTENT_TYPE = "text/plain; charset=utf-8";

  static Response response(int status) {
    return Response.of(status, CONTENT_TYPE, text(status));
  }

  private static byte[] text(int status) {
    return (status + " " + HttpStatus.getMessage(status) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean handle(
      Request request, org.eclipse.jetty.server.Response response, Callback callback) {
    byte[] text = text(response.getStatus());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, CONTENT_TYPE);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, text.length);
    response.write(true, ByteBuffer.wrap(text), callback);
    return true;
  }
}
