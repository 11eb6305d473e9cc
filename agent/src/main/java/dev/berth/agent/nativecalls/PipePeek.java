package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads from pipes without taking: what was read stays for the next who reads. For one thread. */
public final class PipePeek implements AutoCloseable {
  private static final int SPLICE_F_NONBLOCK = 2;

  private final int copyIn;
  private final int copyOut;

  public PipePeek() throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
      Kernel.call(Syscall.PIPE2, ends.address(), Descriptors.O_CLOEXEC);
      copyOut = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
      copyIn = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
    }
  }

  /** Copies the beginning of what is in a pipe; 0 or less if there is nothing now. */
  public int peek(int pipe, MemorySegment buffer) throws NativeFailure {
    int length = tee(pipe, buffer.byteSize());
    int copied = 0;
    while (copied < length) {
      copied += Descriptors.read(copyOut, buffer.asSlice(copied, length - copied));
    }
    return length;
  }

  private int tee(int pipe, long most) throws NativeFailure {
    while (true) {
      try {
        return (int) Kernel.call(Syscall.TEE, pipe, copyIn, most, SPLICE_F_NONBLOCK);
      } catch (NativeFailure e) {
        if (e.errno() == NativeFailure.EAGAIN) {
          return -1;
        }
        if (e.errno() != NativeFailure.EINTR) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    Descriptors.close(copyIn);
    Descriptors.close(copyOut);
  }
}
