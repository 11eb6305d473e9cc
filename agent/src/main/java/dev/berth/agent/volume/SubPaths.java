package dev.berth.agent.volume;

import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Parts of volumes, {@code subPath}. Whoever writes to a volume may put links into it that point
 * out of it, and may exchange directories for links at any moment. So a part is opened by a call
 * that never leaves the volume, and what was opened is mounted at a place of the agent's own; the
 * path is not used again.
 */
final class SubPaths {
  private SubPaths() {}

  /**
   * Has a part of a volume appear at a place, and makes it a directory if it is not there.
   *
   * @throws IOException if it leads out of the volume, among others
   */
  static void mount(String volume, String subPath, Path at) throws IOException {
    try (Handle top = Handle.follow(volume);
        Handle part = open(top, subPath)) {
      FileStat wanted = part.stat();
      if (PodDirectory.exists(at)) {
        if (Mounts.isMountPoint(at)) {
          FileStat mounted = Syscalls.stat(Syscalls.AT_FDCWD, Handle.bytes(at.toString()));
          if (mounted.isSameFile(wanted)) {
            return;
          }
          Mounts.unmount(at);
        }
        if (Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS) != wanted.isDirectory()) {
          Files.delete(at);
        }
      }
      makePlace(at, wanted.isDirectory());
      Mounts.bind(part, at);
    }
  }

  private static Handle open(Handle top, String subPath) throws IOException {
    try {
      return top.openBeneath(subPath);
    } catch (NativeFailure e) {
      if (!e.is(NativeFailure.ENOENT)) {
        throw e;
      }
    }
    makeDirectories(top, subPath);
    return top.openBeneath(subPath);
  }

  /** New directories have the permissions of the volume, so that its group has them too. */
  private static void makeDirectories(Handle top, String subPath) throws IOException {
    int mode = top.stat().permissions();
    StringBuilder path = new StringBuilder();
    for (String name : subPath.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      try (Handle parent = top.openBeneath(path.isEmpty() ? "." : path.toString())) {
        make(parent, Handle.bytes(name), mode);
      }
      path.append(path.isEmpty() ? "" : "/").append(name);
    }
  }

  private static void make(Handle parent, byte[] name, int mode) throws IOException {
    try {
      parent.makeDirectory(name, mode);
    } catch (NativeFailure e) {
      if (e.is(NativeFailure.EEXIST)) {
        return;
      }
      throw e;
    }
    try (Handle made = parent.open(name)) {
      // If it is something else by now, it is not ours to change.
      if (made.stat().isDirectory()) {
        made.changeMode(mode);
      }
    }
  }

  private static void makePlace(Path at, boolean isDirectory) throws IOException {
    Path parent = at.getParent();
    if (parent != null) {
      Directories.make(parent, 0750);
    }
    if (PodDirectory.exists(at)) {
      return;
    }
    if (isDirectory) {
      Directories.make(at, 0750);
    } else {
      Files.createFile(at);
    }
  }
}
