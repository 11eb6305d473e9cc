package dev.berth.http.jetty;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/** HTTP/2 frames by hand (RFC 9113), for what no decent client would do. */
final class RawHttp2 {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  private static final int ACKNOWLEDGED = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME_BYTES = 16 * 1024;

  private static final int END_STREAM_AND_HEADERS = 0x5;
  private static final int CANCEL = 8;

  private final Socket socket;

  private RawHttp2(Socket socket) {
    this.socket = socket;
  }

  static RawHttp2 over(Socket socket) {
    return new RawHttp2(socket);
  }

  static RawHttp2 connect(Loopback server) throws IOException {
    return new RawHttp2(server.rawTls("h2")).begin();
  }

  RawHttp2 begin() throws IOException {
    socket
        .getOutputStream()
        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return send(frame(SETTINGS, 0, 0, new byte[0]));
  }

  /** As {@link #begin}, and allows the server to send without end. */
  RawHttp2 beginWithoutFlowControl() throws IOException {
    int almostAll = Integer.MAX_VALUE - (1 << 16);
    begin();
    send(
        frame(
            SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).putInt(almostAll).array()));
    return send(frame(WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(almostAll).array()));
  }

  RawHttp2 get(int stream, String path) throws IOException {
    return send(getFrame(stream, path));
  }

  RawHttp2 send(byte[] frames) throws IOException {
    socket.getOutputStream().write(frames);
    socket.getOutputStream().flush();
    return this;
  }

  /** A GET in HPACK's static table and literals. */
  static byte[] getFrame(int stream, String path) {
    byte[] name = path.getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x82); // :method GET
    block.write(0x87); // :scheme https
    block.write(0x04); // :path, literal
    block.write(name.length);
    block.writeBytes(name);
    block.write(0x01); // :authority, literal
    block.write(1);
    block.write('x');
    return frame(HEADERS, END_STREAM_AND_HEADERS, stream, block.toByteArray());
  }

  /** A GET with so many header fields that do not fit into one frame. */
  static byte[] getWithHeaders(int stream, int headers) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(new byte[] {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x01, 1, 'x'});
    byte[] field = "\0\6x-some\5value".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < headers; i++) {
      block.writeBytes(field);
    }
    ByteBuffer rest = ByteBuffer.wrap(block.toByteArray());
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int type = HEADERS; rest.hasRemaining(); type = CONTINUATION) {
      byte[] part = new byte[Math.min(rest.remaining(), FRAME_BYTES)];
      rest.get(part);
      int flags = (type == HEADERS ? END_STREAM : 0) | (rest.hasRemaining() ? 0 : END_HEADERS);
      frames.writeBytes(frame(type, flags, stream, part));
    }
    return frames.toByteArray();
  }

  /** The beginning of a POST whose body is to follow. */
  static byte[] postFrame(int stream) {
    return frame(
        HEADERS,
        END_HEADERS,
        stream,
        new byte[] {(byte) 0x83, (byte) 0x87, (byte) 0x84, 1, 1, 'x'});
  }

  static byte[] dataFrame(int stream, int bytes) {
    return frame(DATA, 0, stream, new byte[bytes]);
  }

  static byte[] lastDataFrame(int stream, int bytes) {
    return frame(DATA, END_STREAM, stream, new byte[bytes]);
  }

  static byte[] resetFrame(int stream) {
    return frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, CANCEL});
  }

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(payload.length >> 16);
      out.writeShort(payload.length);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Frame(int type, int flags, int stream, ByteBuffer payload) {}

  private Frame read() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(type, flags, stream, ByteBuffer.wrap(in.readNBytes(length)));
  }

  RawHttp2 untilHeaders(int stream) throws IOException {
    Frame frame = read();
    while (frame.type() != HEADERS || frame.stream() != stream) {
      frame = read();
    }
    return this;
  }

  /** The body of the answer on a stream, once that is complete. */
  String answer(int stream) throws IOException {
    StringBuilder body = new StringBuilder();
    while (true) {
      Frame frame = read();
      if (frame.stream() == stream && frame.type() == DATA) {
        body.append(StandardCharsets.UTF_8.decode(frame.payload()));
      }
      boolean ends = frame.type() == DATA || frame.type() == HEADERS;
      if (frame.stream() == stream && ends && (frame.flags() & END_STREAM) != 0) {
        return body.toString();
      }
    }
  }

  /** Sends a ping, and reads until it is answered. */
  RawHttp2 ping() throws IOException {
    typesUntilPing();
    return this;
  }

  /** The types of the frames that come before a ping is answered. */
  List<Integer> typesUntilPing() throws IOException {
    send(frame(PING, 0, 0, new byte[8]));
    List<Integer> types = new ArrayList<>();
    Frame frame = read();
    while (frame.type() != PING || (frame.flags() & ACKNOWLEDGED) == 0) {
      types.add(frame.type());
      frame = read();
    }
    return types;
  }

  /** Reads until the server ends the connection; returns the error it gave, or -1 for none. */
  int untilGoAway() throws IOException {
    try {
      for (Frame frame = read(); ; frame = read()) {
        if (frame.type() == GO_AWAY) {
          return frame.payload().getInt(4);
        }
      }
    } catch (EOFException | SocketException | SSLException _) {
      return -1;
    }
  }

  /** Reads everything until the server closes, whichever way it does so. */
  void untilClosed() throws IOException {
    try {
      while (true) {
        read();
      }
    } catch (EOFException | SocketException | SSLException _) {
      // That is it.
    }
  }
}
