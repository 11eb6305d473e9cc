package dev.berth.serving.local;

import dev.berth.http.ResponseStream;
import java.io.ByteArrayOutputStream;

/** Keeps what is written to a component in this process until it is whole. Used by one thread. */
final class LocalStream implements ResponseStream {
  private static final int LONGEST = 64 * 1024 * 1024;

  private final Reader reader;
  private final int status;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean isAborted;

  /** Who is told the whole. */
  interface Reader {
    void read(int status, byte[] bytes);
  }

  LocalStream(Reader reader, int status) {
    this.reader = reader;
    this.status = status;
  }

  @Override
  public boolean write(byte[] more) {
    if (bytes.size() + more.length > LONGEST) {
      isAborted = true;
    }
    if (!isAborted) {
      bytes.writeBytes(more);
    }
    return !isAborted;
  }

  @Override
  public boolean flush() {
    return !isAborted;
  }

  /** The component stays until it has its answer. */
  @Override
  public void onGone(Runnable listener) {}

  @Override
  public void abort() {
    isAborted = true;
  }

  @Override
  public void close() {
    reader.read(status, isAborted ? new byte[0] : bytes.toByteArray());
  }
}
