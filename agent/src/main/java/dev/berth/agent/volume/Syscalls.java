package dev.berth.agent.volume;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The calls of the C library that volumes need and that Java has no names for: mounts, and work on
 * files relative to an open directory, which is what keeps links from leading elsewhere. Names are
 * bytes, as pods may give files names that are no text.
 */
final class Syscalls {
  static final int AT_FDCWD = -100;
  static final int AT_REMOVEDIR = 0x200;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_EMPTY_PATH = 0x1000;

  static final int O_CLOEXEC = 0x80000;
  static final int O_PATH = 0x200000;

  /** These two have other numbers on ARM. */
  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

  private static final long SYS_OPENAT2 = 437;
  private static final long RESOLVE_NO_MAGICLINKS = 0x02;
  private static final long RESOLVE_BENEATH = 0x08;
  private static final int OPEN_HOW_SIZE = 24;

  private static final int STATX_BASIC_STATS = 0x7ff;
  private static final int STATX_SIZE = 256;
  private static final int STATVFS_SIZE = 112;

  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle OPENAT =
      variadic("openat", 3, FunctionDescriptor.of(INT, INT, POINTER, INT, INT));
  private static final MethodHandle SYSCALL =
      variadic("syscall", 1, FunctionDescriptor.of(LONG, LONG, INT, POINTER, POINTER, LONG));
  private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle STATX =
      function("statx", FunctionDescriptor.of(INT, INT, POINTER, INT, INT, POINTER));
  private static final MethodHandle GETDENTS =
      function("getdents64", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
  private static final MethodHandle MKDIRAT =
      function("mkdirat", FunctionDescriptor.of(INT, INT, POINTER, INT));
  private static final MethodHandle UNLINKAT =
      function("unlinkat", FunctionDescriptor.of(INT, INT, POINTER, INT));
  private static final MethodHandle RENAMEAT =
      function("renameat", FunctionDescriptor.of(INT, INT, POINTER, INT, POINTER));
  private static final MethodHandle FCHOWNAT =
      function("fchownat", FunctionDescriptor.of(INT, INT, POINTER, INT, INT, INT));
  private static final MethodHandle CHMOD =
      function("chmod", FunctionDescriptor.of(INT, POINTER, INT));
  private static final MethodHandle MOUNT =
      function("mount", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, LONG, POINTER));
  private static final MethodHandle UMOUNT2 =
      function("umount2", FunctionDescriptor.of(INT, POINTER, INT));
  private static final MethodHandle STATVFS =
      function("statvfs", FunctionDescriptor.of(INT, POINTER, POINTER));

  private Syscalls() {}

  @SuppressWarnings("restricted") // calling the C library is what this class is for
  private static MethodHandle function(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
  }

  @SuppressWarnings("restricted") // likewise
  private static MethodHandle variadic(String name, int fixed, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        type,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(fixed));
  }

  /** A call with the memory that holds its error, and that its arguments are put into. */
  private interface Call {
    long run(Arena arena, MemorySegment state) throws Throwable;
  }

  private static long check(String name, Call call) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long result = call.run(arena, state);
      if (result < 0) {
        throw new ErrnoException(name, (int) ERRNO.get(state, 0L));
      }
      return result;
    } catch (ErrnoException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new LinkageError(name, e);
    }
  }

  /** A text of C, which ends with a zero. */
  private static MemorySegment text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return text;
  }

  static int openat(int directory, byte[] name, int flags) throws ErrnoException {
    return (int)
        check(
            "open",
            (arena, state) ->
                (int) OPENAT.invokeExact(state, directory, text(arena, name), flags, 0));
  }

  /**
   * Opens what a path names, following links only as long as they lead nowhere outside of a
   * directory. The kernel sees to it, so nobody can exchange a part of the path meanwhile.
   */
  static int openBeneath(int directory, byte[] path, int flags) throws ErrnoException {
    return (int)
        check(
            "open",
            (arena, state) -> {
              MemorySegment how = arena.allocate(OPEN_HOW_SIZE, Long.BYTES);
              how.set(U64, 0, flags);
              how.set(U64, 16, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
              return (long)
                  SYSCALL.invokeExact(
                      state, SYS_OPENAT2, directory, text(arena, path), how, (long) OPEN_HOW_SIZE);
            });
  }

  static void close(int descriptor) throws ErrnoException {
    check("close", (arena, state) -> (int) CLOSE.invokeExact(state, descriptor));
  }

  /**
   * What a directory says of one of its files, not following links.
   *
   * @param name empty for the open file itself
   */
  static FileStat stat(int directory, byte[] name) throws ErrnoException {
    FileStat[] stat = new FileStat[1];
    check(
        "stat",
        (arena, state) -> {
          MemorySegment buffer = arena.allocate(STATX_SIZE, Long.BYTES);
          int result =
              (int)
                  STATX.invokeExact(
                      state,
                      directory,
                      text(arena, name),
                      AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH,
                      STATX_BASIC_STATS,
                      buffer);
          stat[0] =
              new FileStat(
                  Short.toUnsignedInt(buffer.get(U16, 28)),
                  Integer.toUnsignedLong(buffer.get(U32, 20)),
                  Integer.toUnsignedLong(buffer.get(U32, 24)),
                  buffer.get(U64, 32),
                  buffer.get(U64, 48),
                  Integer.toUnsignedLong(buffer.get(U32, 16)),
                  ((long) buffer.get(U32, 136) << Integer.SIZE)
                      | Integer.toUnsignedLong(buffer.get(U32, 140)),
                  (buffer.get(U64, 8) & FileStat.MOUNT_ROOT) != 0);
          return result;
        });
    return stat[0];
  }

  /** Reads the next entries of a directory into a buffer; returns how many bytes there are. */
  static int entries(int directory, MemorySegment buffer) throws ErrnoException {
    return (int)
        check(
            "read directory",
            (arena, state) ->
                (long) GETDENTS.invokeExact(state, directory, buffer, buffer.byteSize()));
  }

  static void mkdirat(int directory, byte[] name, int mode) throws ErrnoException {
    check(
        "mkdir",
        (arena, state) -> (int) MKDIRAT.invokeExact(state, directory, text(arena, name), mode));
  }

  static void unlinkat(int directory, byte[] name, int flags) throws ErrnoException {
    check(
        "remove",
        (arena, state) -> (int) UNLINKAT.invokeExact(state, directory, text(arena, name), flags));
  }

  static void renameat(int directory, byte[] name, int toDirectory, byte[] toName)
      throws ErrnoException {
    check(
        "rename",
        (arena, state) ->
            (int)
                RENAMEAT.invokeExact(
                    state, directory, text(arena, name), toDirectory, text(arena, toName)));
  }

  /** Changes owner and group of an open file; -1 leaves one as it is. */
  static void chown(int descriptor, int user, int group) throws ErrnoException {
    check(
        "chown",
        (arena, state) ->
            (int)
                FCHOWNAT.invokeExact(
                    state, descriptor, text(arena, new byte[0]), user, group, AT_EMPTY_PATH));
  }

  static void chmod(byte[] path, int mode) throws ErrnoException {
    check("chmod", (arena, state) -> (int) CHMOD.invokeExact(state, text(arena, path), mode));
  }

  static void mount(byte[] source, byte[] target, byte[] type, long flags, byte[] options)
      throws ErrnoException {
    check(
        "mount",
        (arena, state) ->
            (int)
                MOUNT.invokeExact(
                    state,
                    text(arena, source),
                    text(arena, target),
                    text(arena, type),
                    flags,
                    text(arena, options)));
  }

  static void unmount(byte[] target, int flags) throws ErrnoException {
    check(
        "unmount", (arena, state) -> (int) UMOUNT2.invokeExact(state, text(arena, target), flags));
  }

  static FileSystemSpace space(byte[] path) throws ErrnoException {
    FileSystemSpace[] space = new FileSystemSpace[1];
    check(
        "statvfs",
        (arena, state) -> {
          MemorySegment buffer = arena.allocate(STATVFS_SIZE, Long.BYTES);
          int result = (int) STATVFS.invokeExact(state, text(arena, path), buffer);
          long unit = buffer.get(U64, 8);
          space[0] =
              new FileSystemSpace(
                  buffer.get(U64, 16) * unit,
                  buffer.get(U64, 24) * unit,
                  buffer.get(U64, 32) * unit,
                  buffer.get(U64, 40),
                  buffer.get(U64, 48));
          return result;
        });
    return space[0];
  }
}
