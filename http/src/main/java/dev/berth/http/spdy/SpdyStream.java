package dev.berth.http.spdy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream that the client opened. One thread reads it and one writes it. What arrived and was not
 * read yet is bounded: the connection waits then.
 */
public final class SpdyStream {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final SpdyConnection connection;
  private final int id;
  private final Map<String, String> headers;
  private final InputStream input = new Input();
  private final OutputStream output = new Output();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<byte[]> unread = new ArrayDeque<>();
  private int unreadBytes;
  private boolean ended;
  private boolean ignored;
  private boolean outputEnded;

  SpdyStream(SpdyConnection connection, int id, Map<String, String> headers) {
    this.connection = connection;
    this.id = id;
    this.headers = Collections.unmodifiableMap(headers);
  }

  public int id() {
    return id;
  }

  /** A header field of the stream, by its name in any case; empty if there is none. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** What the client sends. To close it is to ignore all that still comes. */
  public InputStream input() {
    return input;
  }

  /** Sent at once. To close it is to say that no more will come. */
  public OutputStream output() {
    return output;
  }

  /** Breaks the stream off, both ways. */
  public void reset() throws IOException {
    broken();
    connection.forget(id);
    connection.sendReset(id, SpdyConnection.CANCEL);
  }

  /** The connection's thread waits here while there is no room. */
  void arrived(byte[] bytes) {
    lock.lock();
    try {
      while (unreadBytes >= BUFFER_BYTES && !ignored) {
        changed.awaitUninterruptibly();
      }
      if (!ignored && !ended) {
        unread.add(bytes);
        unreadBytes += bytes.length;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The client will send no more. */
  void ended() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    forgetIfDone();
  }

  /** Nothing goes either way any more. */
  void broken() {
    lock.lock();
    try {
      ended = true;
      ignored = true;
      outputEnded = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void forgetIfDone() {
    lock.lock();
    try {
      if (!ended || !outputEnded) {
        return;
      }
    } finally {
      lock.unlock();
    }
    connection.forget(id);
  }

  private final class Input extends InputStream {
    private byte[] current = new byte[0];
    private int position;

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (position == current.length && !next()) {
        return -1;
      }
      int taken = Math.min(length, current.length - position);
      System.arraycopy(current, position, bytes, offset, taken);
      position += taken;
      return taken;
    }

    private boolean next() {
      lock.lock();
      try {
        while (unread.isEmpty() && !ended) {
          changed.awaitUninterruptibly();
        }
        byte[] first = unread.poll();
        if (first == null) {
          return false;
        }
        current = first;
        position = 0;
        unreadBytes -= first.length;
        changed.signalAll();
        return true;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        ignored = true;
        unread.clear();
        unreadBytes = 0;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      lock.lock();
      try {
        if (outputEnded) {
          throw new IOException("The SPDY stream " + id + " is closed.");
        }
      } finally {
        lock.unlock();
      }
      if (length > 0) {
        connection.sendData(id, false, bytes, offset, length);
      }
    }

    @Override
    public void close() throws IOException {
      lock.lock();
      try {
        if (outputEnded) {
          return;
        }
        outputEnded = true;
      } finally {
        lock.unlock();
      }
      connection.sendData(id, true, new byte[0], 0, 0);
      forgetIfDone();
    }
  }
}
