package dev.berth.agent.volume;

import java.io.IOException;
import java.util.Map;

/** A call of the C library failed. */
final class ErrnoException extends IOException {
  private static final long serialVersionUID = 1;

  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EBUSY = 16;
  static final int EEXIST = 17;
  static final int EXDEV = 18;
  static final int ENOTDIR = 20;
  static final int EINVAL = 22;
  static final int ENOSYS = 38;
  static final int ENOTEMPTY = 39;
  static final int ELOOP = 40;

  private static final Map<Integer, String> WORDS =
      Map.ofEntries(
          Map.entry(EPERM, "operation not permitted"),
          Map.entry(ENOENT, "no such file or directory"),
          Map.entry(13, "permission denied"),
          Map.entry(EBUSY, "device or resource busy"),
          Map.entry(EEXIST, "file exists"),
          Map.entry(EXDEV, "invalid cross-device link"),
          Map.entry(ENOTDIR, "not a directory"),
          Map.entry(EINVAL, "invalid argument"),
          Map.entry(24, "too many open files"),
          Map.entry(28, "no space left on device"),
          Map.entry(30, "read-only file system"),
          Map.entry(36, "file name too long"),
          Map.entry(ENOSYS, "not supported by this kernel"),
          Map.entry(ENOTEMPTY, "directory not empty"),
          Map.entry(ELOOP, "too many levels of symbolic links"));

  private final int errno;

  ErrnoException(String call, int errno) {
    super(call + ": " + WORDS.getOrDefault(errno, "error " + errno));
    this.errno = errno;
  }

  boolean is(int other) {
    return errno == other;
  }
}
