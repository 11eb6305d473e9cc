package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntConsumer;

/** Waits until one of many descriptors can be read. For one waiting thread. */
public final class Epoll implements AutoCloseable {
  private static final int EPOLL_CTL_ADD = 1;
  private static final int EPOLL_CTL_DEL = 2;
  private static final int EPOLLIN = 1;
  private static final int EVENTS = 64;

  /** The structure is packed on x86, where its size is therefore 12 and not 16. */
  private static final int DATA = Architecture.CURRENT == Architecture.X86_64 ? 4 : 8;

  private static final int EVENT = DATA + 8;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment events = arena.allocate((long) EVENT * EVENTS);
  private final int descriptor;

  public Epoll() throws NativeFailure {
    descriptor = (int) Kernel.call(Syscall.EPOLL_CREATE1, Descriptors.O_CLOEXEC);
  }

  public void add(int watched) throws NativeFailure {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment event = local.allocate(EVENT);
      event.set(ValueLayout.JAVA_INT_UNALIGNED, 0, EPOLLIN);
      event.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA, watched);
      Kernel.call(Syscall.EPOLL_CTL, descriptor, EPOLL_CTL_ADD, watched, event.address());
    }
  }

  public void remove(int watched) throws NativeFailure {
    Kernel.call(Syscall.EPOLL_CTL, descriptor, EPOLL_CTL_DEL, watched, 0);
  }

  /** Waits, and gives each descriptor that can be read. */
  public void await(IntConsumer readable) throws NativeFailure {
    long count;
    try {
      count =
          Kernel.call(Syscall.EPOLL_PWAIT, descriptor, events.address(), EVENTS, /* forever */ -1);
    } catch (NativeFailure e) {
      if (e.errno() == NativeFailure.EINTR) {
        return;
      }
      throw e;
    }
    for (int i = 0; i < count; i++) {
      readable.accept((int) events.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * EVENT + DATA));
    }
  }

  @Override
  public void close() {
    Descriptors.close(descriptor);
    arena.close();
  }
}
