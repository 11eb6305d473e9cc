package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** File descriptors, for what Java's channels cannot do: FIFOs, terminals, epoll. */
public final class Descriptors {
  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_NOCTTY = 0x100;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;

  private static final int AT_FDCWD = -100;
  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int F_SETPIPE_SZ = 1031;
  private static final int S_IFIFO = 0x1000;

  private Descriptors() {}

  public static int open(Path file, int flags) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      return (int)
          Kernel.call(
              Syscall.OPENAT, AT_FDCWD, Kernel.text(arena, file.toString()), flags | O_CLOEXEC);
    } catch (NativeFailure e) {
      throw e.about(file.toString());
    }
  }

  public static void close(int descriptor) {
    try {
      Kernel.call(Syscall.CLOSE, descriptor);
    } catch (NativeFailure e) {
      // Nothing can be done about it, and the descriptor is gone all the same.
    }
  }

  /** Reads into a buffer; 0 at the end, -1 if there is nothing to read now. */
  public static int read(int descriptor, MemorySegment buffer) throws NativeFailure {
    while (true) {
      try {
        return (int) Kernel.call(Syscall.READ, descriptor, buffer.address(), buffer.byteSize());
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

  /** Writes all of some bytes; blocks until they are taken. */
  public static void write(int descriptor, byte[] bytes, int from, int length)
      throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(length);
      MemorySegment.copy(bytes, from, copy, ValueLayout.JAVA_BYTE, 0, length);
      long done = 0;
      while (done < length) {
        try {
          done += Kernel.call(Syscall.WRITE, descriptor, copy.address() + done, length - done);
        } catch (NativeFailure e) {
          if (e.errno() != NativeFailure.EINTR) {
            throw e;
          }
        }
      }
    }
  }

  /** Whether calls for a descriptor wait. */
  public static void setBlocking(int descriptor, boolean blocking) throws NativeFailure {
    long flags = Kernel.call(Syscall.FCNTL, descriptor, F_GETFL);
    Kernel.call(
        Syscall.FCNTL, descriptor, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
  }

  public static void makeFifo(Path file) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(
          Syscall.MKNODAT, AT_FDCWD, Kernel.text(arena, file.toString()), S_IFIFO | 0600, 0);
    } catch (NativeFailure e) {
      throw e.about(file.toString());
    }
  }

  /** Makes a pipe as large as it may be; one that cannot grow is as good, only smaller. */
  public static void enlargePipe(int descriptor, int bytes) {
    try {
      Kernel.call(Syscall.FCNTL, descriptor, F_SETPIPE_SZ, bytes);
    } catch (NativeFailure e) {
      // The usual 64 KiB will do.
    }
  }
}
