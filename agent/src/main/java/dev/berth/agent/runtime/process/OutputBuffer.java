package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * What a container wrote while somebody is attached to it, until they have read it. Who reads too
 * slowly is cut off: neither the container nor its log waits for them.
 */
final class OutputBuffer extends InputStream {
  private static final int MAX_BYTES = 1 << 20;

  private final boolean isWaiting;

  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private int position;
  private int waiting;
  private boolean hasEnded;

  /** One that cuts off who reads too slowly. */
  OutputBuffer() {
    this(false);
  }

  private OutputBuffer(boolean isWaiting) {
    this.isWaiting = isWaiting;
  }

  /** One whose writer waits for its reader. */
  static OutputBuffer waiting() {
    return new OutputBuffer(true);
  }

  synchronized void add(byte[] bytes, int length) {
    while (isWaiting && waiting > 0 && waiting + length > MAX_BYTES && !hasEnded) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        end();
      }
    }
    if (hasEnded) {
      return;
    }
    if (waiting + length > MAX_BYTES) {
      end();
      return;
    }
    pieces.add(Arrays.copyOf(bytes, length));
    waiting += length;
    notifyAll();
  }

  synchronized void end() {
    hasEnded = true;
    notifyAll();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (pieces.isEmpty()) {
      if (hasEnded) {
        return -1;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    byte[] piece = pieces.getFirst();
    int count = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, target, offset, count);
    position += count;
    waiting -= count;
    notifyAll();
    if (position == piece.length) {
      pieces.removeFirst();
      position = 0;
    }
    return count;
  }

  @Override
  public synchronized int available() {
    return waiting;
  }

  @Override
  public void close() {
    end();
  }
}
