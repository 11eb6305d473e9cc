package dev.berth.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;

/** HTTP/2 frames by hand (RFC 9113), for what no decent client would do. */
final class RawHttp2 {
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;

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

  private record Frame(int type, int stream, ByteBuffer payload) {}

  private Frame read() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(type, stream, ByteBuffer.wrap(in.readNBytes(length)));
  }

  RawHttp2 untilHeaders(int stream) throws IOException {
    Frame frame = read();
    while (frame.type() != HEADERS || frame.stream() != stream) {
      frame = read();
    }
    return this;
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
