package dev.berth.http.websocket;

import dev.berth.http.Duplex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Another protocol within a WebSocket: the bytes of its binary messages, wherever one ends and the
 * next begins.
 */
public final class WebSocketTunnel implements Duplex {
  private final WebSocket socket;
  private final InputStream input = new Input();
  private final OutputStream output = new Output();

  public WebSocketTunnel(WebSocket socket) {
    this.socket = socket;
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public void close() {
    socket.close();
  }

  private final class Input extends InputStream {
    private byte[] bytes = new byte[0];
    private int position;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, into.length);
      while (position == bytes.length) {
        var piece = socket.read();
        if (piece.isEmpty()) {
          return -1;
        }
        bytes = piece.get().bytes();
        position = 0;
      }
      int taken = Math.min(length, bytes.length - position);
      System.arraycopy(bytes, position, into, offset, taken);
      position += taken;
      return taken;
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      socket.writeBinary(new byte[] {(byte) value});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      socket.writeBinary(Arrays.copyOfRange(bytes, offset, offset + length));
    }
  }
}
