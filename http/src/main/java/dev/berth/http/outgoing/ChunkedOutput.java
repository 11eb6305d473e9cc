package dev.berth.http.outgoing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;

/** Sends a body of unknown length in chunks. Closing it ends the body, not the connection. */
final class ChunkedOutput extends OutputStream {
  private final OutputStream out;

  ChunkedOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > 0) {
      out.write((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
      out.write(bytes, offset, length);
      out.write("\r\n".getBytes(US_ASCII));
    }
  }

  @Override
  public void close() throws IOException {
    out.write("0\r\n\r\n".getBytes(US_ASCII));
  }
}
