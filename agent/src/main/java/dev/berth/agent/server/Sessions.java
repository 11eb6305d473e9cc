package dev.berth.agent.server;

import java.util.concurrent.Semaphore;

/** How many commands and forwarded ports there may be at once, so that a flood ends at the door. */
final class Sessions {
  private static final int MOST = 1_000;
  private static final int TOO_MANY = 429;

  private final Semaphore free = new Semaphore(MOST);

  /** A session that has begun; to be closed when it ends. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  Place begin() throws Refusal {
    if (!free.tryAcquire()) {
      throw new Refusal(
          TOO_MANY, "too many sessions on this node: %d are open, try again later".formatted(MOST));
    }
    return free::release;
  }
}
