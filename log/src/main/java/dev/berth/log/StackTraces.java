package dev.berth.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Stack traces as text: a line for each frame, whatever the exceptions' messages hold. */
final class StackTraces {
  private static final int MOST_FRAMES = 60;

  private StackTraces() {}

  /** The trace with its causes, each line indented and ended. */
  static String of(Throwable thrown) {
    StringBuilder out = new StringBuilder();
    append(out, thrown, "", Collections.newSetFromMap(new IdentityHashMap<>()));
    return out.toString();
  }

  /** An exception in a line of its own, without its frames. */
  static String title(Throwable thrown) {
    StringBuilder out = new StringBuilder(thrown.getClass().getName());
    if (thrown.getMessage() != null) {
      out.append(": ");
      LogText.plain(out, thrown.getMessage());
    }
    return out.toString();
  }

  private static void append(
      StringBuilder out, Throwable thrown, String caption, Set<Throwable> seen) {
    out.append("    ").append(caption).append(title(thrown)).append('\n');
    if (!seen.add(thrown)) {
      return;
    }
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
      out.append("        at ").append(frames[i]).append('\n');
    }
    if (frames.length > MOST_FRAMES) {
      out.append("        … ").append(frames.length - MOST_FRAMES).append(" more\n");
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      append(out, suppressed, "Suppressed: ", seen);
    }
    if (thrown.getCause() != null) {
      append(out, thrown.getCause(), "Caused by: ", seen);
    }
  }
}
