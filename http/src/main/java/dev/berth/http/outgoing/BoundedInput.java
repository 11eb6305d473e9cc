package dev.berth.http.outgoing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** So many bytes of a stream, and not one less. */
final class BoundedInput extends InputStream {
  private final InputStream in;
  private long left;

  BoundedInput(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(bytes, offset, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the answer broke off");
    }
    left -= read;
    return read;
  }
}
