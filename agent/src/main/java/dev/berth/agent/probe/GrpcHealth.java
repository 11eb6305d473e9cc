package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;

/**
 * One call of {@code grpc.health.v1.Health/Check}, by hand: gRPC servers speak HTTP/2 from the
 * first byte on, which Java's client cannot do without TLS, and one call with one small answer does
 * not need a library. Headers are written without compression, and those of the answer are not
 * read: the message says whether the service is healthy, and an answer without one says that it is
 * not.
 */
final class GrpcHealth {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8);
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int LARGEST_FRAME = 1 << 14;

  /** A message's prefix: whether it is compressed, and its length. */
  private static final int PREFIX = 5;

  private static final String[] WORDS = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};
  private static final int SERVING = 1;

  private final String host;
  private final int port;
  private final OutputStream out;
  private final DataInputStream in;

  private GrpcHealth(String host, int port, Socket socket) throws IOException {
    this.host = host;
    this.port = port;
    this.out = socket.getOutputStream();
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** Blocks. */
  @SuppressWarnings("AddressSelection") // a pod is probed at one address
  static Outcome check(String host, int port, String service, Cutoff cutoff) {
    boolean isConnected = false;
    try (Socket socket = new Socket()) {
      cutoff.opened(socket);
      socket.connect(new InetSocketAddress(host, port));
      isConnected = true;
      GrpcHealth call = new GrpcHealth(host, port, socket);
      call.ask(service);
      Optional<byte[]> message = call.answer();
      if (message.isEmpty()) {
        return Outcome.failure(
            "error: this server does not implement the grpc health protocol"
                + " (grpc.health.v1.Health)");
      }
      int status = status(message.get());
      return status == SERVING
          ? Outcome.success("service healthy")
          : Outcome.failure(
              "service unhealthy (responded with \"%s\")"
                  .formatted(status < WORDS.length ? WORDS[status] : Integer.toString(status)));
    } catch (IOException e) {
      if (cutoff.isOver()) {
        long seconds = cutoff.limit().toSeconds();
        return Outcome.failure(
            isConnected
                ? "timeout: health rpc did not complete within %ds".formatted(seconds)
                : "timeout: failed to connect service \"%s:%d\" within %ds: context deadline exceeded"
                    .formatted(host, port, seconds));
      }
      return Outcome.failure(
          "error: failed to connect service at \"%s:%d\": %s"
              .formatted(host, port, e.getMessage()));
    }
  }

  private void ask(String service) throws IOException {
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    header(headers, ":method", "POST");
    header(headers, ":scheme", "http");
    header(headers, ":path", "/grpc.health.v1.Health/Check");
    header(headers, ":authority", host + ":" + port);
    header(headers, "content-type", "application/grpc");
    header(headers, "te", "trailers");
    header(headers, "user-agent", "kube-probe/1.36");
    byte[] name = service.getBytes(UTF_8);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    if (name.length > 0) {
      message.write(0x0a); // field 1, a string
      writeVarint(message, name.length);
      message.writeBytes(name);
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.write(0);
    data.writeBytes(bigEndian(message.size()));
    data.writeBytes(message.toByteArray());
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(PREFACE);
    all.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    all.writeBytes(frame(HEADERS, END_HEADERS, 1, headers.toByteArray()));
    all.writeBytes(frame(DATA, END_STREAM, 1, data.toByteArray()));
    out.write(all.toByteArray());
    out.flush();
  }

  /** The message of the answer; empty if it has none. */
  private Optional<byte[]> answer() throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    while (true) {
      int header = in.readInt();
      int length = header >>> 8;
      int type = header & 0xff;
      int flags = in.readUnsignedByte();
      int stream = in.readInt() & Integer.MAX_VALUE;
      if (length > LARGEST_FRAME) {
        throw new IOException("a frame of " + length + " bytes");
      }
      byte[] payload = in.readNBytes(length);
      if (payload.length < length) {
        throw new EOFException("the connection was closed");
      }
      switch (type) {
        case SETTINGS -> acknowledge(SETTINGS, flags, new byte[0]);
        case PING -> acknowledge(PING, flags, payload);
        case DATA -> {
          message.writeBytes(unpadded(payload, flags));
          if (isWhole(message.toByteArray())) {
            return Optional.of(message.toByteArray());
          }
        }
        case RST_STREAM, GOAWAY -> {
          return Optional.empty();
        }
        default -> {} // Headers, window updates and whatever else there may be.
      }
      boolean ends = type == DATA || type == HEADERS;
      if (ends && stream == 1 && (flags & END_STREAM) != 0) {
        return Optional.empty();
      }
    }
  }

  private void acknowledge(int type, int flags, byte[] payload) throws IOException {
    if ((flags & ACK) == 0) {
      out.write(frame(type, ACK, 0, payload));
      out.flush();
    }
  }

  private static byte[] unpadded(byte[] payload, int flags) throws IOException {
    if ((flags & PADDED) == 0) {
      return payload;
    }
    int padding = payload.length == 0 ? 0 : payload[0] & 0xff;
    if (padding + 1 > payload.length) {
      throw new IOException("a frame with more padding than content");
    }
    return Arrays.copyOfRange(payload, 1, payload.length - padding);
  }

  private static boolean isWhole(byte[] message) {
    return message.length >= PREFIX && message.length >= PREFIX + length(message);
  }

  private static int length(byte[] message) {
    int length = 0;
    for (int i = 1; i < PREFIX; i++) {
      length = (length << 8) | (message[i] & 0xff);
    }
    return length;
  }

  /** Field 1 of the message, a number; 0 if it is left out. */
  private static int status(byte[] message) {
    boolean hasField = length(message) >= 2 && message[PREFIX] == 0x08;
    return hasField ? (message[PREFIX + 1] & 0x7f) : 0;
  }

  /** A header without compression: a literal that is not to be remembered. */
  private static void header(ByteArrayOutputStream headers, String name, String value) {
    headers.write(0);
    string(headers, name);
    string(headers, value);
  }

  private static void string(ByteArrayOutputStream headers, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    headers.write(bytes.length); // addresses are short: no length needs a second byte
    headers.writeBytes(bytes);
  }

  private static void writeVarint(ByteArrayOutputStream to, int number) {
    int left = number;
    while (left > 0x7f) {
      to.write((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    to.write(left);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    byte[] length = bigEndian(payload.length);
    frame.write(length, 1, 3);
    frame.write(type);
    frame.write(flags);
    frame.writeBytes(bigEndian(stream));
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  private static byte[] bigEndian(int number) {
    return new byte[] {
      (byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number
    };
  }
}
