package dev.berth.http.jetty;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses a body while it is sent. As upstream: from 128 KB on, and at the fastest level, which
 * is worth it between machines and costs little within one.
 */
final class Gzip implements BodySink {
  static final int THRESHOLD_BYTES = 128 * 1024;

  private static final int LEVEL = 1;
  private static final int BUFFER_BYTES = 16 * 1024;

  private final BodySink target;
  private final Level1 out;

  Gzip(BodySink target) {
    this.target = target;
    try {
      out = new Level1(new SinkStream(target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether {@code Accept-Encoding} names gzip, and not with a weight of zero. */
  static boolean accepted(List<String> acceptEncoding) {
    return acceptEncoding.stream()
        .flatMap(field -> List.of(field.split(",", -1)).stream())
        .map(coding -> coding.replace(" ", ""))
        .anyMatch(coding ->
            coding.equalsIgnoreCase("gzip")
                || (coding.toLowerCase(Locale.ROOT).startsWith("gzip;q=")
                    && !coding.substring(7).matches("0(\\.0*)?")));
  }

  @Override
  public boolean write(byte[] bytes, int offset, int length) {
    return reaches(() -> out.write(bytes, offset, length));
  }

  @Override
  public boolean flush() {
    return reaches(out::flush) && target.flush();
  }

  @Override
  public boolean finish() {
    return reaches(out::finish) && target.finish();
  }

  @Override
  public void release() {
    out.end();
    target.release();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static boolean reaches(Step step) {
    try {
      step.run();
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static final class Level1 extends GZIPOutputStream {
    Level1(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES, true);
      def.setLevel(LEVEL);
    }

    /** The compressor's memory is not the heap's, so it is not left to the garbage collector. */
    void end() {
      def.end();
    }
  }

  private static final class SinkStream extends OutputStream {
    private final BodySink target;

    SinkStream(BodySink target) {
      this.target = target;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (!target.write(bytes, offset, length)) {
        throw new IOException("nobody reads");
      }
    }
  }
}
