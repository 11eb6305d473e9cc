package dev.berth.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits a stream at its line ends. JSON has none within, so a line is a whole document. */
final class Lines {
  private static final int INITIAL = 16 * 1024;

  private final InputStream in;
  private byte[] buffer = new byte[INITIAL];
  private int begin;
  private int end;

  Lines(InputStream in) {
    this.in = in;
  }

  /** The next line that is not empty; null at the end. A last line that is cut off is none. */
  byte @Nullable [] next() throws IOException {
    int searched = begin;
    while (true) {
      for (int i = searched; i < end; i++) {
        if (buffer[i] == '\n') {
          byte[] line = Arrays.copyOfRange(buffer, begin, i);
          begin = i + 1;
          if (line.length > 0) {
            return line;
          }
        }
      }
      searched = end;
      if (begin > 0) {
        System.arraycopy(buffer, begin, buffer, 0, end - begin);
        searched -= begin;
        end -= begin;
        begin = 0;
      }
      if (end == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      int read = in.read(buffer, end, buffer.length - end);
      if (read < 0) {
        return null;
      }
      end += read;
    }
  }
}
