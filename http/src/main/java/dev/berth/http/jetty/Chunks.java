package dev.berth.http.jetty;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers small pieces into chunks, since each write costs a TLS record and a system call, and
 * passes large ones on as they are.
 */
final class Chunks implements BodySink {
  private final BlockingWriter writer;
  private final int size;
  private final Framing framing;
  private byte @Nullable [] chunk;
  private int used;

  /** What is put around a chunk before it is sent. */
  interface Framing {
    /** None: Jetty adds its own. */
    Framing NONE = (bytes, _) -> bytes;

    ByteBuffer frame(ByteBuffer bytes, boolean last);
  }

  Chunks(BlockingWriter writer, int size) {
    this(writer, size, Framing.NONE);
  }

  Chunks(BlockingWriter writer, int size, Framing framing) {
    this.writer = writer;
    this.size = size;
    this.framing = framing;
  }

  @Override
  public boolean write(byte[] bytes, int offset, int length) {
    if (length > size - used && !flush()) {
      return false;
    }
    if (length >= size) {
      return write(false, ByteBuffer.wrap(bytes, offset, length));
    }
    if (chunk == null) {
      chunk = new byte[size];
    }
    System.arraycopy(bytes, offset, chunk, used, length);
    used += length;
    return true;
  }

  @Override
  public boolean flush() {
    return used == 0 || send(false);
  }

  @Override
  public boolean finish() {
    return send(true);
  }

  private boolean send(boolean last) {
    byte[] bytes = chunk == null ? new byte[0] : chunk;
    boolean sent = write(last, ByteBuffer.wrap(bytes, 0, used));
    if (!sent) {
      chunk = null;
    }
    used = 0;
    return sent;
  }

  private boolean write(boolean last, ByteBuffer bytes) {
    return writer.write(last, framing.frame(bytes, last));
  }

  @Override
  public void release() {
    chunk = null;
    used = 0;
  }
}
