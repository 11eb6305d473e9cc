package dev.berth.agent.server;

import dev.berth.http.Exchange;
import dev.berth.http.websocket.WebSocket;
import dev.berth.http.websocket.WebSocketHandshake;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A command's streams over WebSocket: the first byte of each message says which stream it belongs
 * to. From the fourth version on, the end is a {@code Status}; the fifth can close single streams.
 */
final class WebSocketCommand implements CommandStreams {
  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int ERROR = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;

  private static final String V5 = "v5.channel.k8s.io";

  /** In the order in which they are preferred. */
  private static final List<String> PROTOCOLS =
      List.of(
          V5,
          "v4.channel.k8s.io",
          "v4.base64.channel.k8s.io",
          "channel.k8s.io",
          "base64.channel.k8s.io");

  private static final int BAD_REQUEST = 400;
  private static final int NORMAL = 1000;
  private static final int MAX_RESIZE_BYTES = 1024;

  private final WebSocket socket;
  private final String protocol;
  private final boolean base64;
  private final CommandOptions options;
  private final CountDownLatch gone = new CountDownLatch(1);

  private WebSocketCommand(WebSocket socket, String protocol, CommandOptions options) {
    this.socket = socket;
    this.protocol = protocol;
    this.base64 = protocol.contains("base64");
    this.options = options;
  }

  static WebSocketCommand accept(Exchange exchange, CommandOptions options) throws Refusal {
    List<String> offered = WebSocketHandshake.offered(exchange);
    Optional<String> chosen = offered.stream().filter(PROTOCOLS::contains).findFirst();
    Optional<String> problem =
        WebSocketHandshake.problem(exchange)
            .or(() ->
                chosen.isPresent() || offered.isEmpty()
                    ? Optional.empty()
                    : Optional.of("none of the protocols %s is supported".formatted(offered)));
    if (problem.isPresent()) {
      throw new Refusal(BAD_REQUEST, problem.get());
    }
    WebSocket socket = WebSocketHandshake.accept(exchange, chosen.orElse(""));
    WebSocketCommand streams = new WebSocketCommand(socket, chosen.orElse(""), options);
    streams.greet();
    return streams;
  }

  /** An empty message on the first stream tells the client that all is ready. */
  private void greet() {
    try {
      send(options.stdout() ? STDOUT : options.stderr() ? STDERR : ERROR, new byte[0], 0, 0);
    } catch (IOException _) {
      socket.close();
    }
  }

  @Override
  public void begin(Listener listener) {
    Thread.ofVirtual().name("websocket-command").start(() -> read(listener));
  }

  private void read(Listener listener) {
    try {
      Message message = new Message(listener);
      Optional<WebSocket.Piece> piece = socket.read();
      while (piece.isPresent()) {
        message.take(piece.get());
        piece = socket.read();
      }
    } catch (IOException _) {
      // Whatever it was, the client cannot be heard any more.
    } finally {
      gone.countDown();
      listener.gone();
    }
  }

  /** Passes on messages as their pieces arrive. */
  private final class Message {
    private final Listener listener;
    private final ByteArrayOutputStream size = new ByteArrayOutputStream();
    private boolean inputTaken = options.stdin();
    private int channel;

    Message(Listener listener) {
      this.listener = listener;
    }

    void take(WebSocket.Piece piece) throws IOException {
      byte[] bytes = piece.bytes();
      int from = 0;
      if (piece.isFirst()) {
        size.reset();
        channel = bytes.length == 0 ? -1 : channel(bytes[0]);
        from = Math.min(1, bytes.length);
      }
      byte[] content = content(bytes, from);
      switch (channel) {
        case STDIN -> stdin(content);
        case RESIZE -> resize(content, piece.isLast());
        case CLOSE -> close(content);
        default -> {
          // Nothing else comes from clients.
        }
      }
    }

    private int channel(byte first) {
      return base64 ? first - '0' : first & 0xff;
    }

    private byte[] content(byte[] bytes, int from) throws IOException {
      byte[] content = new byte[bytes.length - from];
      System.arraycopy(bytes, from, content, 0, content.length);
      try {
        return base64 ? Base64.getDecoder().decode(content) : content;
      } catch (IllegalArgumentException e) {
        throw new IOException("The client sent no base64.", e);
      }
    }

    private void stdin(byte[] content) {
      if (inputTaken && content.length > 0) {
        listener.stdin(content, content.length);
      }
    }

    private void resize(byte[] content, boolean last) {
      if (size.size() + content.length <= MAX_RESIZE_BYTES) {
        size.writeBytes(content);
      }
      if (last) {
        TerminalSize.parse(size.toByteArray())
            .ifPresent(window -> listener.resized(window.columns(), window.rows()));
      }
    }

    private void close(byte[] content) {
      boolean ofStdin = content.length == 1 && content[0] == STDIN;
      if (protocol.equals(V5) && ofStdin && inputTaken) {
        inputTaken = false;
        listener.stdinEnded();
      }
    }
  }

  private void send(int channel, byte[] bytes, int offset, int length) throws IOException {
    if (base64) {
      byte[] content = new byte[length];
      System.arraycopy(bytes, offset, content, 0, length);
      byte[] encoded = Base64.getEncoder().encode(content);
      byte[] message = new byte[encoded.length + 1];
      message[0] = (byte) ('0' + channel);
      System.arraycopy(encoded, 0, message, 1, encoded.length);
      socket.writeText(message);
    } else {
      byte[] message = new byte[length + 1];
      message[0] = (byte) channel;
      System.arraycopy(bytes, offset, message, 1, length);
      socket.writeBinary(message);
    }
  }

  private OutputStream channel(int number) {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        send(number, new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        send(number, bytes, offset, length);
      }
    };
  }

  @Override
  public OutputStream stdout() {
    return options.stdout() ? channel(STDOUT) : OutputStream.nullOutputStream();
  }

  @Override
  public OutputStream stderr() {
    return options.stderr() ? channel(STDERR) : OutputStream.nullOutputStream();
  }

  @Override
  public void finish(CommandStatus status) throws IOException {
    boolean asJson = protocol.startsWith("v4.") || protocol.equals(V5);
    byte[] text = asJson ? status.json() : status.plain();
    if (text.length > 0) {
      send(ERROR, text, 0, text.length);
    }
    socket.end(NORMAL);
  }

  @Override
  public boolean isGone() {
    return gone.getCount() == 0;
  }

  @Override
  public void awaitGone() {
    Waiting.uninterruptibly(gone);
  }

  @Override
  public void close() {
    socket.close();
  }
}
