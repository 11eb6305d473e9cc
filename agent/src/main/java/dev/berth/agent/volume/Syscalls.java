package dev.berth.agent.volume;

import dev.berth.agent.nativecalls.Architecture;
import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.Kernel;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The system calls that volumes need: mounts, and work on files relative to an open directory,
 * which is what keeps links from leading elsewhere. Names are bytes, as pods may give files names
 * that are no text.
 */
final class Syscalls {
  static final int AT_FDCWD = -100;
  static final int AT_REMOVEDIR = 0x200;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;

  static final int O_CLOEXEC = Descriptors.O_CLOEXEC;
  static final int O_PATH = 0x200000;

  /** These two have other numbers on ARM. */
  private static final boolean ARM = Architecture.current() == Architecture.AARCH64;

  static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

  private static final long RESOLVE_NO_MAGICLINKS = 0x02;
  private static final long RESOLVE_BENEATH = 0x08;
  private static final int OPEN_HOW_SIZE = 24;

  private static final int STATX_BASIC_STATS = 0x7ff;
  private static final int STATX_SIZE = 256;

  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;

  private Syscalls() {}

  static int openat(int directory, byte[] name, int flags) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      return (int) Kernel.call(Syscall.OPENAT, directory, Kernel.text(arena, name), flags);
    }
  }

  /**
   * Opens what a path names, following links only as long as they lead nowhere outside of a
   * directory. The kernel sees to it, so nobody can exchange a part of the path meanwhile.
   */
  static int openBeneath(int directory, byte[] path, int flags) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = arena.allocate(OPEN_HOW_SIZE, Long.BYTES);
      how.set(U64, 0, flags);
      how.set(U64, 16, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
      return (int)
          Kernel.call(
              Syscall.OPENAT2, directory, Kernel.text(arena, path), how.address(), how.byteSize());
    }
  }

  /**
   * What a directory says of one of its files, not following links.
   *
   * @param name empty for the open file itself
   */
  static FileStat stat(int directory, byte[] name) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stat = arena.allocate(STATX_SIZE, Long.BYTES);
      Kernel.call(
          Syscall.STATX,
          directory,
          Kernel.text(arena, name),
          AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH,
          STATX_BASIC_STATS,
          stat.address());
      return new FileStat(
          Short.toUnsignedInt(stat.get(U16, 28)),
          Integer.toUnsignedLong(stat.get(U32, 20)),
          Integer.toUnsignedLong(stat.get(U32, 24)),
          stat.get(U64, 32),
          stat.get(U64, 48),
          Integer.toUnsignedLong(stat.get(U32, 16)),
          ((long) stat.get(U32, 136) << Integer.SIZE) | Integer.toUnsignedLong(stat.get(U32, 140)),
          (stat.get(U64, 8) & FileStat.MOUNT_ROOT) != 0);
    }
  }

  /** Reads the next entries of a directory into a buffer; returns how many bytes there are. */
  static int entries(int directory, MemorySegment buffer) throws NativeFailure {
    return (int) Kernel.call(Syscall.GETDENTS64, directory, buffer.address(), buffer.byteSize());
  }

  static void mkdirat(int directory, byte[] name, int mode) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(Syscall.MKDIRAT, directory, Kernel.text(arena, name), mode);
    }
  }

  static void unlinkat(int directory, byte[] name, int flags) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(Syscall.UNLINKAT, directory, Kernel.text(arena, name), flags);
    }
  }

  static void renameat(int directory, byte[] name, int toDirectory, byte[] toName)
      throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(
          Syscall.RENAMEAT,
          directory,
          Kernel.text(arena, name),
          toDirectory,
          Kernel.text(arena, toName));
    }
  }

  /** Changes owner and group of an open file; -1 leaves one as it is. */
  static void chown(int descriptor, int user, int group) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      long itself = Kernel.text(arena, new byte[0]);
      Kernel.call(Syscall.FCHOWNAT, descriptor, itself, user, group, AT_EMPTY_PATH);
    }
  }

  static void chmod(byte[] path, int mode) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(Syscall.FCHMODAT, AT_FDCWD, Kernel.text(arena, path), mode);
    }
  }

  static void mount(byte[] source, byte[] target, byte[] type, long flags, byte[] options)
      throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(
          Syscall.MOUNT,
          Kernel.text(arena, source),
          Kernel.text(arena, target),
          Kernel.text(arena, type),
          flags,
          Kernel.text(arena, options));
    }
  }

  static void unmount(byte[] target, int flags) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      Kernel.call(Syscall.UMOUNT2, Kernel.text(arena, target), flags);
    }
  }
}
