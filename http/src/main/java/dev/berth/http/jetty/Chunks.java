package dev.berth.http.jetty;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers small pieces into chunks, since each write costs a TLS record and a system call, and
 * passes large ones on as they are. A chunk may grow while pieces come faster than they are
 * flushed, such as the events of a watch that lags behind; nothing that has grown is kept.
 */
final class Chunks implements BodySink {
  private final BlockingWriter writer;
  private final int size;
  private final int most;
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
    this(writer, size, size, Framing.NONE);
  }

  /**
   * @param size of a chunk that is kept for the next pieces
   * @param most how large a chunk may grow
   */
  Chunks(BlockingWriter writer, int size, int most, Framing framing) {
    this.writer = writer;
    this.size = size;
    this.most = most;
    this.framing = framing;
  }

  @Override
  public boolean write(byte[] bytes, int offset, int length) {
    if (length > most - used && !flush()) {
      return false;
    }
    if (length >= most) {
      return write(false, ByteBuffer.wrap(bytes, offset, length));
    }
    System.arraycopy(bytes, offset, withRoom(used + length), used, length);
    used += length;
    return true;
  }

  private byte[] withRoom(int needed) {
    byte[] before = chunk;
    if (before != null && needed <= before.length) {
      return before;
    }
    byte[] room = new byte[needed <= size ? size : Math.min(most, 2 * needed)];
    if (before != null) {
      System.arraycopy(before, 0, room, 0, used);
    }
    chunk = room;
    return room;
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
    if (!sent || bytes.length > size) {
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
