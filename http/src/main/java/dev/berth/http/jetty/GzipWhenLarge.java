package dev.berth.http.jetty;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds back the beginning of a body of unknown length until it is known whether the body is large
 * enough to be compressed. A flush decides that early: it is not.
 */
final class GzipWhenLarge implements BodySink {
  private final Supplier<BodySink> plain;
  private final Supplier<BodySink> compressed;
  private final List<byte[]> held = new ArrayList<>();
  private long heldBytes;
  private @Nullable BodySink decided;

  /**
   * Each supplier is asked at most once, before the first byte is sent: it may still set headers.
   */
  GzipWhenLarge(Supplier<BodySink> plain, Supplier<BodySink> compressed) {
    this.plain = plain;
    this.compressed = compressed;
  }

  @Override
  public boolean write(byte[] bytes, int offset, int length) {
    if (decided != null) {
      return decided.write(bytes, offset, length);
    }
    held.add(Arrays.copyOfRange(bytes, offset, offset + length));
    heldBytes += length;
    return heldBytes < Gzip.THRESHOLD_BYTES || writeHeld(decide(compressed));
  }

  @Override
  public boolean flush() {
    return decided != null ? decided.flush() : decideForPlain().flush();
  }

  @Override
  public boolean finish() {
    return decided != null ? decided.finish() : decideForPlain().finish();
  }

  @Override
  public void release() {
    held.clear();
    if (decided != null) {
      decided.release();
    }
  }

  private BodySink decideForPlain() {
    BodySink sink = decide(plain);
    var _ = writeHeld(sink);
    return sink;
  }

  private BodySink decide(Supplier<BodySink> choice) {
    BodySink sink = choice.get();
    decided = sink;
    return sink;
  }

  private boolean writeHeld(BodySink sink) {
    boolean taken = true;
    for (byte[] part : held) {
      taken = taken && sink.write(part, 0, part.length);
    }
    held.clear();
    return taken;
  }
}
