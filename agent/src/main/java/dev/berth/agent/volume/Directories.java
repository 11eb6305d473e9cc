package dev.berth.agent.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Making directories of ours. */
final class Directories {
  private static final int PARENT_MODE = 0750;

  private Directories() {}

  /** Makes a directory with these very permissions, and its parents for root alone. */
  static void make(Path directory, int mode) throws IOException {
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path parent = directory.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      make(parent, PARENT_MODE);
    }
    Files.createDirectory(directory);
    // Whatever the umask is.
    Files.setAttribute(directory, "unix:mode", mode);
  }
}
