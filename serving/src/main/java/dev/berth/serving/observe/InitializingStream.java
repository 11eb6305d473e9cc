package dev.berth.serving.observe;

import dev.berth.http.ResponseStream;

/** A watch's stream, which tells when it is first flushed: then what there was has been sent. */
final class InitializingStream implements ResponseStream {
  private final ResponseStream stream;
  private final Runnable onInitialized;
  private boolean initialized;

  InitializingStream(ResponseStream stream, Runnable onInitialized) {
    this.stream = stream;
    this.onInitialized = onInitialized;
  }

  @Override
  public boolean write(byte[] bytes) {
    return stream.write(bytes);
  }

  @Override
  public boolean flush() {
    boolean reaches = stream.flush();
    if (!initialized) {
      initialized = true;
      onInitialized.run();
    }
    return reaches;
  }

  @Override
  public void onGone(Runnable listener) {
    stream.onGone(listener);
  }

  @Override
  public void abort() {
    stream.abort();
  }

  @Override
  public void close() {
    stream.close();
  }
}
