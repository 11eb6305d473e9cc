package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A terminal for one process, and the agent's end of it.
 *
 * @param descriptor the agent's end
 * @param device the process's end
 */
public record Terminal(int descriptor, Path device) {
  private static final long TIOCSPTLCK = 0x40045431L;
  private static final long TIOCGPTN = 0x80045430L;
  private static final long TIOCSWINSZ = 0x5414L;

  public static Terminal open() throws NativeFailure {
    int descriptor =
        Descriptors.open(Path.of("/dev/ptmx"), Descriptors.O_RDWR | Descriptors.O_NOCTTY);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      Kernel.call(Syscall.IOCTL, descriptor, TIOCSPTLCK, number.address());
      Kernel.call(Syscall.IOCTL, descriptor, TIOCGPTN, number.address());
      return new Terminal(descriptor, Path.of("/dev/pts/" + number.get(ValueLayout.JAVA_INT, 0)));
    } catch (NativeFailure e) {
      Descriptors.close(descriptor);
      throw e;
    }
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
