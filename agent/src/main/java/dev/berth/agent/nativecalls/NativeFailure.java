package dev.berth.agent.nativecalls;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** A system call failed. */
public final class NativeFailure extends IOException {
  private static final long serialVersionUID = 1;

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int ENXIO = 6;
  public static final int EAGAIN = 11;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EINVAL = 22;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOTEMPTY = 39;
  public static final int ELOOP = 40;

  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(EPERM, "operation not permitted"),
          Map.entry(ENOENT, "no such file or directory"),
          Map.entry(ESRCH, "no such process"),
          Map.entry(13, "permission denied"),
          Map.entry(EAGAIN, "nothing came in time"),
          Map.entry(16, "device or resource busy"),
          Map.entry(EEXIST, "file exists"),
          Map.entry(18, "invalid cross-device link"),
          Map.entry(ENODEV, "no such device"),
          Map.entry(ENOTDIR, "not a directory"),
          Map.entry(21, "is a directory"),
          Map.entry(EINVAL, "invalid argument"),
          Map.entry(24, "too many open files"),
          Map.entry(28, "no space left on device"),
          Map.entry(30, "read-only file system"),
          Map.entry(ENAMETOOLONG, "file name too long"),
          Map.entry(38, "not supported by this kernel"),
          Map.entry(ENOTEMPTY, "directory not empty"),
          Map.entry(ELOOP, "too many levels of symbolic links"),
          Map.entry(98, "address already in use"),
          Map.entry(101, "network is unreachable"),
          Map.entry(111, "connection refused"),
          Map.entry(113, "no route to host"));

  private final int errno;

  NativeFailure(Syscall call, int errno) {
    this(call.name().toLowerCase(Locale.ROOT), errno);
  }

  /** One that the kernel reported by other means than the result of a call. */
  public NativeFailure(String what, int errno) {
    super(what + ": " + TEXTS.getOrDefault(errno, "error " + errno));
    this.errno = errno;
  }

  /** The same failure, saying what it was about. */
  public NativeFailure about(String subject) {
    return new NativeFailure(getMessage() + ": " + subject, errno, this);
  }

  private NativeFailure(String message, int errno, NativeFailure cause) {
    super(message, cause);
    this.errno = errno;
  }

  public int errno() {
    return errno;
  }

  public boolean is(int other) {
    return errno == other;
  }
}
