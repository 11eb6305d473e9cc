package dev.berth.http.outgoing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.http.Duplex;
import dev.berth.http.Headers;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * A request to another server and its answer. Used by one thread; any other may {@link #close} it,
 * which releases that one from whatever it waits for.
 */
public final class OutgoingCall implements AutoCloseable {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int SWITCHING_PROTOCOLS = 101;

  private final Destination.Connected connection;
  private final OutputStream out;
  private final InputStream in;
  private final AnswerHead head;
  private final InputStream body;

  private OutgoingCall(Destination.Connected connection, OutgoingRequest request)
      throws IOException {
    this.connection = connection;
    this.out = connection.socket().getOutputStream();
    this.in = new BufferedInputStream(connection.socket().getInputStream());
    send(request);
    connection.underneath().setSoTimeout((int) request.answerWithin().toMillis());
    head = AnswerHead.read(in);
    connection.underneath().setSoTimeout(0);
    body = body(request.method());
  }

  /**
   * Connects and sends a request; returns when the answer begins.
   *
   * @throws DialException if no connection came about
   */
  public static OutgoingCall begin(Destination destination, OutgoingRequest request)
      throws IOException {
    return begin(destination, request, _ -> {});
  }

  /**
   * The same for who may have enough of it before the answer has begun.
   *
   * @param onSocket gets what any thread may close to end it all, at whatever it has come to
   */
  public static OutgoingCall begin(
      Destination destination, OutgoingRequest request, Consumer<Closeable> onSocket)
      throws IOException {
    Destination.Connected connection;
    try {
      connection = destination.connect(onSocket);
    } catch (IOException e) {
      throw new DialException(destination, e);
    }
    try {
      return new OutgoingCall(connection, request);
    } catch (IOException | RuntimeException e) {
      connection.underneath().close();
      throw e;
    }
  }

  private void send(OutgoingRequest request) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
    for (Headers.Field field : request.headers().fields()) {
      text.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }
    if (!request.isUpgrade()) {
      text.append("Connection: close\r\n");
    }
    InputStream content = request.body();
    boolean chunked = content != null && request.bodyLength().isEmpty();
    if (chunked) {
      text.append("Transfer-Encoding: chunked\r\n");
    } else if (content != null) {
      text.append("Content-Length: ").append(request.bodyLength().getAsLong()).append("\r\n");
    }
    out.write(text.append("\r\n").toString().getBytes(ISO_8859_1));
    if (content != null) {
      OutputStream sink = chunked ? new ChunkedOutput(out) : out;
      content.transferTo(sink);
      if (chunked) {
        sink.close();
      }
    }
    out.flush();
  }

  private InputStream body(String method) {
    int status = head.status();
    if (method.equals("HEAD")
        || status == NO_CONTENT
        || status == NOT_MODIFIED
        || status == SWITCHING_PROTOCOLS) {
      return InputStream.nullInputStream();
    }
    if (head.isChunked()) {
      return new ChunkedInput(in);
    }
    return head.contentLength().isPresent()
        ? new BoundedInput(in, head.contentLength().getAsLong())
        : in;
  }

  public int status() {
    return head.status();
  }

  public Headers headers() {
    return head.headers();
  }

  /** The body of the answer, decoded if it came in chunks; fails if it breaks off. */
  public InputStream body() {
    return body;
  }

  /** Whether the server has accepted the upgrade. */
  public boolean isUpgraded() {
    return head.status() == SWITCHING_PROTOCOLS;
  }

  /** The connection after an upgrade; closed with the call. */
  public Duplex upgraded() {
    return new Duplex() {
      @Override
      public InputStream input() {
        return in;
      }

      @Override
      public OutputStream output() {
        return out;
      }

      @Override
      public void close() {
        OutgoingCall.this.close();
      }
    };
  }

  /** Closes the connection at once, without the farewell of TLS, which could wait for the peer. */
  @Override
  public void close() {
    try {
      connection.underneath().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
