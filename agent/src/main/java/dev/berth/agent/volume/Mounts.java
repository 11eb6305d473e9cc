package dev.berth.agent.volume;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is mounted on this machine, and mounting. */
final class Mounts {
  private static final Path TABLE = Path.of("/proc/self/mountinfo");
  private static final int MOUNT_POINT = 4;

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
  static void tmpfs(Path at, String options) throws ErrnoException {
    String withoutSwap = options.isEmpty() ? "noswap" : options + ",noswap";
    try {
      mountTmpfs(at, withoutSwap);
    } catch (ErrnoException e) {
      if (!e.is(ErrnoException.EINVAL)) {
        throw e;
      }
      mountTmpfs(at, options);
    }
  }

  private static void mountTmpfs(Path at, String options) throws ErrnoException {
    byte[] type = Handle.bytes("tmpfs");
    Syscalls.mount(
        type, Handle.bytes(at.toString()), type, MS_NOSUID | MS_NODEV, Handle.bytes(options));
  }

  /** Makes an open file or directory appear at another place, with what is mounted in it. */
  static void bind(Handle source, Path target) throws ErrnoException {
    Syscalls.mount(
        Handle.bytes(source.path()),
        Handle.bytes(target.toString()),
        new byte[0],
        MS_BIND | MS_REC,
        new byte[0]);
  }

  /** Unmounts at once, for new users; those who still use it may go on. */
  static void unmount(Path target) throws ErrnoException {
    Syscalls.unmount(Handle.bytes(target.toString()), MNT_DETACH | UMOUNT_NOFOLLOW);
  }

  static boolean isMountPoint(Path path) throws ErrnoException {
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
        } catch (ErrnoException e) {
          if (!e.is(ErrnoException.EINVAL) && !e.is(ErrnoException.ENOENT)) {
            throw e;
          }
        }
      }
    }
  }

  /** In the order in which they were mounted. */
  private static List<byte[]> pointsBelow(Path top) throws IOException {
    List<byte[]> points = new ArrayList<>();
    // One character for each byte: names may be no text.
    String path = new String(Handle.bytes(top.toString()), ISO_8859_1);
    for (String line : Files.readAllLines(TABLE, ISO_8859_1)) {
      String[] fields = line.split(" ", MOUNT_POINT + 2);
      if (fields.length > MOUNT_POINT) {
        byte[] point = unescape(fields[MOUNT_POINT]);
        String name = new String(point, ISO_8859_1);
        if (name.equals(path) || name.startsWith(path + "/")) {
          points.add(point);
        }
      }
    }
    return points;
  }

  /** The paths of what is mounted at a path and below it. */
  static List<Path> below(Path top) throws IOException {
    return pointsBelow(top).stream().map(point -> Path.of(new String(point, UTF_8))).toList();
  }

  /** The kernel writes spaces, tabs, line ends and backslashes as three octal digits. */
  private static byte[] unescape(String field) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(field.length());
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\' && i + 3 < field.length()) {
        bytes.write(Integer.parseInt(field.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toByteArray();
  }
}
