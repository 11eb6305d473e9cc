package dev.berth.http.outgoing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;

/** A body that comes in chunks. */
final class ChunkedInput extends InputStream {
  private static final int MAX_LINE = 4 * 1024;

  private final InputStream in;
  private long left;
  private boolean begun;
  private boolean ended;

  ChunkedInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0 && !ended) {
      next();
    }
    if (ended) {
      return -1;
    }
    int read = in.read(bytes, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the answer broke off");
    }
    left -= read;
    return read;
  }

  private void next() throws IOException {
    if (begun && !line().isEmpty()) {
      throw new ProtocolException("a chunk of the answer is longer than it says");
    }
    begun = true;
    String size = line().split(";", 2)[0].strip();
    if (!size.matches("[0-9a-fA-F]{1,15}")) {
      throw new ProtocolException("a chunk of the answer has no length");
    }
    left = Long.parseLong(size, 16);
    if (left == 0) {
      ended = true;
      while (!line().isEmpty()) {
        // Trailers are of no interest here.
      }
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the answer broke off");
      }
      if (next == '\n') {
        return line.toString().strip();
      }
      if (line.length() == MAX_LINE) {
        throw new ProtocolException("a line between chunks of the answer is too long");
      }
      line.append((char) next);
    }
  }
}
