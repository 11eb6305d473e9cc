package dev.berth.serving.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.http.Exchange;
import dev.berth.http.ResponseStream;
import dev.berth.http.websocket.WebSocket;
import dev.berth.http.websocket.WebSocketHandshake;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer over a WebSocket: a message for each piece that is written. What the client sends means
 * nothing, but is read, so that it is seen when the client goes.
 */
public final class WebSocketStream implements ResponseStream {
  private static final int NORMAL = 1000;
  private static final int FORBIDDEN = 403;
  private static final String BINARY_PROTOCOL = "binary.k8s.io";
  private static final String BASE64_PROTOCOL = "base64.binary.k8s.io";

  /** What messages of plain bytes may be, by the names of subprotocols; none is binary. */
  private static final Map<String, Frames> OF_BYTES =
      Map.of("", Frames.BINARY, BINARY_PROTOCOL, Frames.BINARY, BASE64_PROTOCOL, Frames.BASE64);

  private final WebSocket socket;
  private final Frames frames;
  private final Object lock = new Object();
  private @Nullable Runnable listener;
  private boolean gone;

  /** How a piece becomes a message. */
  public enum Frames {
    TEXT,
    BINARY,
    BASE64,

    /** Binary, without the length that the piece begins with: a message has one of its own. */
    WITHOUT_LENGTH
  }

  private WebSocketStream(WebSocket socket, Frames frames) {
    this.socket = socket;
    this.frames = frames;
  }

  public static boolean isRequested(Exchange exchange) {
    return WebSocketHandshake.isRequested(exchange);
  }

  /**
   * Begins to send events. Upstream takes whatever one subprotocol a client offers, and refuses
   * clients that say no origin; here they are served.
   */
  public static WebSocketStream ofEvents(Exchange exchange, Frames frames) {
    List<String> offered = offered(exchange);
    if (offered.size() > 1) {
      throw Failures.badRequest("a watch over a WebSocket takes at most one subprotocol");
    }
    return begin(exchange, offered.isEmpty() ? "" : offered.getFirst(), frames);
  }

  /** Begins to send bytes, in the first form of those that the client offers. */
  static WebSocketStream ofBytes(Exchange exchange) {
    List<String> offered = offered(exchange);
    String chosen =
        offered.isEmpty()
            ? ""
            : offered.stream()
                .filter(OF_BYTES::containsKey)
                .findFirst()
                .orElseThrow(() -> refused(offered));
    WebSocketStream stream = begin(exchange, chosen, OF_BYTES.getOrDefault(chosen, Frames.BINARY));
    // An empty message tells the client that all is well before there is anything to send.
    stream.write(new byte[0]);
    return stream;
  }

  private static StatusException refused(List<String> offered) {
    return new StatusException(
        new Status(
            FORBIDDEN,
            "Forbidden",
            "requested protocol(s) are not supported: %s; supports [%s %s]"
                .formatted(offered, BINARY_PROTOCOL, BASE64_PROTOCOL),
            null));
  }

  private static List<String> offered(Exchange exchange) {
    WebSocketHandshake.problem(exchange)
        .ifPresent(problem -> {
          throw Failures.badRequest(problem);
        });
    return WebSocketHandshake.offered(exchange).stream()
        .filter(protocol -> !protocol.startsWith(ForwardedHeaders.TOKEN_PROTOCOL))
        .toList();
  }

  private static WebSocketStream begin(Exchange exchange, String protocol, Frames frames) {
    WebSocketStream stream =
        new WebSocketStream(WebSocketHandshake.accept(exchange, protocol), frames);
    Thread.ofVirtual().name("websocket").start(stream::readToTheEnd);
    return stream;
  }

  private void readToTheEnd() {
    try {
      while (socket.read().isPresent()) {
        // Nothing that a client sends means anything.
      }
    } catch (IOException _) {
      // It has gone without saying so.
    }
    Runnable told;
    synchronized (lock) {
      gone = true;
      told = listener;
    }
    if (told != null) {
      told.run();
    }
  }

  @Override
  public boolean write(byte[] bytes) {
    synchronized (lock) {
      if (gone) {
        return false;
      }
    }
    try {
      switch (frames) {
        case TEXT -> socket.writeText(bytes);
        case BINARY -> socket.writeBinary(bytes);
        case BASE64 ->
            socket.writeText(Base64.getEncoder().encodeToString(bytes).getBytes(US_ASCII));
        case WITHOUT_LENGTH ->
            socket.writeBinary(Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length));
      }
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** What is written is sent at once. */
  @Override
  public boolean flush() {
    synchronized (lock) {
      return !gone;
    }
  }

  @Override
  public void onGone(Runnable action) {
    boolean now;
    synchronized (lock) {
      listener = action;
      now = gone;
    }
    if (now) {
      action.run();
    }
  }

  @Override
  public void abort() {
    socket.close();
  }

  @Override
  public void close() {
    try {
      socket.end(NORMAL);
    } catch (IOException _) {
      // Nobody is there to be told.
    }
    socket.close();
  }
}
