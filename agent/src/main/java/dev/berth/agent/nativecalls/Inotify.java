package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Tells which files were moved into directories, or of all that happens to files in them. Its
 * descriptor can be waited for by an epoll.
 */
public final class Inotify implements AutoCloseable {
  private static final int IN_CLOSE_WRITE = 0x8;
  private static final int IN_MOVED_FROM = 0x40;
  private static final int IN_MOVED_TO = 0x80;
  private static final int IN_CREATE = 0x100;
  private static final int IN_DELETE = 0x200;
  private static final int HEADER = 16;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(64 * 1024, 8);
  private final int descriptor;

  /** Told of a file. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Something happened to a file of a directory.
     *
     * @param isGone whether it was removed or moved away
     */
    void happened(int watch, String name, boolean isGone);
  }

  public Inotify() throws NativeFailure {
    descriptor =
        (int) Kernel.call(Syscall.INOTIFY_INIT1, Descriptors.O_NONBLOCK | Descriptors.O_CLOEXEC);
  }

  public int descriptor() {
    return descriptor;
  }

  /** Watches which files are moved into a directory. */
  public int watch(Path directory) throws NativeFailure {
    return watch(directory, IN_MOVED_TO);
  }

  /** Watches which files of a directory are made, written and removed. */
  public int watchAll(Path directory) throws NativeFailure {
    return watch(directory, IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
  }

  private int watch(Path directory, int events) throws NativeFailure {
    try (Arena local = Arena.ofConfined()) {
      return (int)
          Kernel.call(
              Syscall.INOTIFY_ADD_WATCH,
              descriptor,
              Kernel.text(local, directory.toString()),
              events);
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
      int event = buffer.get(ValueLayout.JAVA_INT, at + 4);
      int length = buffer.get(ValueLayout.JAVA_INT, at + 12);
      if (length > 0) {
        listener.happened(
            watch,
            buffer.asSlice(at + HEADER, length).getString(0, StandardCharsets.UTF_8),
            (event & (IN_DELETE | IN_MOVED_FROM)) != 0);
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
