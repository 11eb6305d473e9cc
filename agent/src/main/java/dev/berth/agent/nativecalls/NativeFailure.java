package dev.berth.agent.nativecalls;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** A system call failed. */
public final class NativeFailure extends IOException {
  private static final long serialVersionUID = 1;

  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int ENXIO = 6;
  public static final int EAGAIN = 11;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;

  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(1, "Operation not permitted"),
          Map.entry(ENOENT, "No such file or directory"),
          Map.entry(ESRCH, "No such process"),
          Map.entry(13, "Permission denied"),
          Map.entry(16, "Device or resource busy"),
          Map.entry(EEXIST, "File exists"),
          Map.entry(ENODEV, "No such device"),
          Map.entry(20, "Not a directory"),
          Map.entry(21, "Is a directory"),
          Map.entry(EINVAL, "Invalid argument"),
          Map.entry(24, "Too many open files"),
          Map.entry(28, "No space left on device"),
          Map.entry(30, "Read-only file system"),
          Map.entry(38, "Function not implemented"),
          Map.entry(40, "Too many levels of symbolic links"),
          Map.entry(98, "Address already in use"),
          Map.entry(101, "Network is unreachable"),
          Map.entry(113, "No route to host"));

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
}
