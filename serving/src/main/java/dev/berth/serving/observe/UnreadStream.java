package dev.berth.serving.observe;

import dev.berth.http.ResponseStream;

/** Of a request that was answered already: nobody reads it, and whoever writes learns that. */
final class UnreadStream implements ResponseStream {
  @Override
  public boolean write(byte[] bytes) {
    return false;
  }

  @Override
  public boolean flush() {
    return false;
  }

  @Override
  public void onGone(Runnable listener) {
    listener.run();
  }

  @Override
  public void abort() {}

  @Override
  public void close() {}
}
