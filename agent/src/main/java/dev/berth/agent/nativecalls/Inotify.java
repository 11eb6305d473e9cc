package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Tells which files were moved into directories. Its descriptor can be waited for by an epoll. */
public final class Inotify implements AutoCloseable {
  private static final int IN_MOVED_TO = 0x80;
  private static final int HEADER = 16;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(64 * 1024, 8);
  private final int descriptor;

  /** Told of a file. */
  @FunctionalInterface
  public interface Listener {
    void moved(int watch, String name);
  }

  public Inotify() throws NativeFailure {
    descriptor =
        (int) Kernel.call(Syscall.INOTIFY_INIT1, Descriptors.O_NONBLOCK | Descriptors.O_CLOEXEC);
  }

  public int descriptor() {
    return descriptor;
  }

  /** Watches a directory. */
  public int watch(Path directory) throws NativeFailure {
    try (Arena local = Arena.ofConfined()) {
      return (int)
          Kernel.call(
              Syscall.INOTIFY_ADD_WATCH,
              descriptor,
              Kernel.text(local, directory.toString()),
              IN_MOVED_TO);
    } catch (NativeFailure e) {
      throw e.about(directory.toString());
    }
  }

  /** Forgets a directory; it may have been deleted before. */
  public void forget(int watch) {
    try {
      Kernel.call(Syscall.INOTIFY_RM_WATCH, descriptor, watch);
    } catch (NativeFailure e) {
      // It went with its directory.
    }
  }

  /** Gives all that happened since the last time. */
  public void read(Listener listener) throws NativeFailure {
    int size = Descriptors.read(descriptor, buffer);
    int at = 0;
    while (at < size) {
      int watch = buffer.get(ValueLayout.JAVA_INT, at);
      int length = buffer.get(ValueLayout.JAVA_INT, at + 12);
      if (length > 0) {
        listener.moved(
            watch, buffer.asSlice(at + HEADER, length).getString(0, StandardCharsets.UTF_8));
      }
      at += HEADER + length;
    }
  }

  @Override
  public void close() {
    Descriptors.close(descriptor);
    arena.close();
  }
}
