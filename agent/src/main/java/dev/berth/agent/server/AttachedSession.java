package dev.berth.agent.server;

import dev.berth.agent.runtime.Session;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A session with a container's own process. How that ends is the pod's status' to say, not the
 * session's, which has done what it was asked for.
 */
final class AttachedSession implements Session {
  private final Session container;

  AttachedSession(Session container) {
    this.container = container;
  }

  @Override
  public OutputStream stdin() {
    return container.stdin();
  }

  @Override
  public InputStream stdout() {
    return container.stdout();
  }

  @Override
  public InputStream stderr() {
    return container.stderr();
  }

  @Override
  public void resize(int columns, int rows) {
    container.resize(columns, rows);
  }

  @Override
  public int waitFor() throws InterruptedException {
    var _ = container.waitFor();
    return 0;
  }

  @Override
  public void close() {
    container.close();
  }
}
