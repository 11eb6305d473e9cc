package dev.berth.agent.volume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.nativecalls.MountTable;
import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What is mounted on this machine, and mounting. */
final class Mounts {
  private static final long MS_NOSUID = 0x2;
  private static final long MS_NODEV = 0x4;
  private static final long MS_BIND = 0x1000;
  private static final long MS_REC = 0x4000;
  private static final int MNT_DETACH = 0x2;
  private static final int UMOUNT_NOFOLLOW = 0x8;

  private Mounts() {}

  /**
   * Mounts a file system in memory. Its content is not written to swap space, where the kernel can
   * keep it from that (since Linux 6.4).
   *
   * @param options such as {@code size=1048576}; may be empty
   */
  static void tmpfs(Path at, String options) throws NativeFailure {
    String withoutSwap = options.isEmpty() ? "noswap" : options + ",noswap";
    try {
      mountTmpfs(at, withoutSwap);
    } catch (NativeFailure e) {
      if (!e.is(NativeFailure.EINVAL)) {
        throw e;
      }
      mountTmpfs(at, options);
    }
  }

  /**
   * Mounts a file system whose files are in huge pages.
   *
   * @param pageSize in bytes; the machine must have pages of this size
   */
  static void hugePages(Path at, long pageSize) throws NativeFailure {
    mount("hugetlbfs", at, "pagesize=" + pageSize);
  }

  private static void mountTmpfs(Path at, String options) throws NativeFailure {
    mount("tmpfs", at, options);
  }

  private static void mount(String filesystem, Path at, String options) throws NativeFailure {
    byte[] type = Handle.bytes(filesystem);
    Syscalls.mount(
        type, Handle.bytes(at.toString()), type, MS_NOSUID | MS_NODEV, Handle.bytes(options));
  }

  /** Makes an open file or directory appear at another place, with what is mounted in it. */
  static void bind(Handle source, Path target) throws NativeFailure {
    Syscalls.mount(
        Handle.bytes(source.path()),
        Handle.bytes(target.toString()),
        new byte[0],
        MS_BIND | MS_REC,
        new byte[0]);
  }

  /** Unmounts at once, for new users; those who still use it may go on. */
  static void unmount(Path target) throws NativeFailure {
    Syscalls.unmount(Handle.bytes(target.toString()), MNT_DETACH | UMOUNT_NOFOLLOW);
  }

  static boolean isMountPoint(Path path) throws NativeFailure {
    return Syscalls.stat(Syscalls.AT_FDCWD, Handle.bytes(path.toString())).isMountRoot();
  }

  /**
   * Unmounts everything at a path and below it, what was mounted last first. Unmounting one may
   * take others away with it, and may uncover another at the same place, so it looks again until
   * there is none.
   */
  static void unmountBelow(Path top) throws IOException {
    int before = Integer.MAX_VALUE;
    for (List<byte[]> points = pointsBelow(top); !points.isEmpty(); points = pointsBelow(top)) {
      if (points.size() >= before) {
        throw new IOException("cannot unmount all of " + below(top));
      }
      before = points.size();
      for (byte[] point : points.reversed()) {
        try {
          Syscalls.unmount(point, MNT_DETACH | UMOUNT_NOFOLLOW);
        } catch (NativeFailure e) {
          if (!e.is(NativeFailure.EINVAL) && !e.is(NativeFailure.ENOENT)) {
            throw e;
          }
        }
      }
    }
  }

  /** In the order in which they were mounted. */
  private static List<byte[]> pointsBelow(Path top) throws IOException {
    return MountTable.read().below(top).stream().map(MountTable.Entry::bytes).toList();
  }

  /** The paths of what is mounted at a path and below it. */
  static List<Path> below(Path top) throws IOException {
    return pointsBelow(top).stream().map(point -> Path.of(new String(point, UTF_8))).toList();
  }
}
