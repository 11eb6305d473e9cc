package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A descriptor that becomes readable when somebody wants the thread that waits for it. */
public final class Wakeup implements AutoCloseable {
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

  private final int descriptor;

  public Wakeup() throws NativeFailure {
    descriptor =
        (int) Kernel.call(Syscall.EVENTFD2, 0, Descriptors.O_NONBLOCK | Descriptors.O_CLOEXEC);
  }

  public int descriptor() {
    return descriptor;
  }

  public void wake() {
    try {
      Descriptors.write(descriptor, ONE, 0, ONE.length);
    } catch (NativeFailure e) {
      // It is as awake as it can be.
    }
  }

  /** Makes it unreadable until it is woken again. */
  public void clear() throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(8, 8);
      Descriptors.read(descriptor, count);
    }
  }

  @Override
  public void close() {
    Descriptors.close(descriptor);
  }
}
