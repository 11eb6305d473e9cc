package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A terminal for one process of a container, and the agent's end of it.
 *
 * @param descriptor the agent's end
 * @param device the process's end, which is closed once the process has opened it
 */
public record Terminal(int descriptor, int device) {
  private static final long TIOCSPTLCK = 0x40045431L;
  private static final long TIOCGPTPEER = 0x5441L;
  private static final long TIOCSWINSZ = 0x5414L;

  /**
   * Opens one of the terminals of a container, so that its name there is one that the container
   * knows.
   *
   * @param process of the container
   */
  public static Terminal open(long process) throws NativeFailure {
    int descriptor = openIn(process, "/dev/pts/ptmx");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment unlocked = arena.allocate(ValueLayout.JAVA_INT);
      Kernel.call(Syscall.IOCTL, descriptor, TIOCSPTLCK, unlocked.address());
      // By the terminal itself, not by a name: that could lead to something else by now.
      long flags = Descriptors.O_RDWR | Descriptors.O_NOCTTY | Descriptors.O_CLOEXEC;
      int device = (int) Kernel.call(Syscall.IOCTL, descriptor, TIOCGPTPEER, flags);
      Descriptors.setBlocking(descriptor, true);
      return new Terminal(descriptor, device);
    } catch (NativeFailure e) {
      Descriptors.close(descriptor);
      throw e;
    }
  }

  private static int openIn(long process, String place) throws NativeFailure {
    int root = Mounts.openRoot("/proc/" + process + "/root");
    try {
      return Mounts.openIn(
          root, place, Descriptors.O_RDWR | Descriptors.O_NOCTTY | Descriptors.O_NONBLOCK);
    } finally {
      Descriptors.close(root);
    }
  }

  /** Opens the first of the terminals of a container, which is that of its first process. */
  public static int openFirst(long process) throws NativeFailure {
    return openIn(process, "/dev/pts/0");
  }

  /** A file that leads to the process's end, for processes of the machine. */
  public Path deviceFile() {
    return Path.of("/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), device));
  }

  /** Says how large the window of a terminal is; any descriptor of it will do. */
  public static void resize(int descriptor, int columns, int rows) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      size.setAtIndex(ValueLayout.JAVA_SHORT, 0, (short) rows);
      size.setAtIndex(ValueLayout.JAVA_SHORT, 1, (short) columns);
      Kernel.call(Syscall.IOCTL, descriptor, TIOCSWINSZ, size.address());
    }
  }
}
