package dev.berth.agent.volume;

import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Removes a directory and all that is in it: never what a link points to, and never what is mounted
 * inside, which makes it fail.
 *
 * <p>A pod may have nested directories deeper than there are open files or room on a stack. So it
 * goes no deeper than one level: a directory in a directory that is not empty is moved up to the
 * top first, and is one of those to remove then. That takes a rename for each, and two open files
 * altogether.
 */
final class TreeRemoval {
  private static final String MOVED = ".removing-";

  private final Handle top;
  private long moved;

  private TreeRemoval(Handle top) {
    this.top = top;
  }

  /** Does nothing if there is no such directory. */
  static void remove(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    Path name = path.getFileName();
    if (parent == null || name == null) {
      throw new IOException("the root directory is not to be removed");
    }
    byte[] last = Handle.bytes(name.toString());
    try (Handle in = Handle.directory(parent)) {
      if (!in.stat(last).isDirectory()) {
        in.removeFile(last);
        return;
      }
      try (Handle top = in.openDirectory(last)) {
        new TreeRemoval(top).empty();
      }
      in.removeDirectory(last);
    } catch (NativeFailure e) {
      if (!e.is(NativeFailure.ENOENT)) {
        throw new IOException("cannot remove " + path + ": " + e.getMessage(), e);
      }
    }
  }

  private void empty() throws IOException {
    // What is moved up while the directory is read may or may not be among the names still to come.
    for (boolean foundSome = true; foundSome; ) {
      foundSome = false;
      try (Handle reader = top.openDirectory(Handle.bytes("."))) {
        for (List<byte[]> names = reader.nextNames();
            !names.isEmpty();
            names = reader.nextNames()) {
          foundSome = true;
          for (byte[] name : names) {
            removeFromTop(name);
          }
        }
      }
    }
  }

  private void removeFromTop(byte[] name) throws IOException {
    if (!isDirectory(top, name)) {
      removeFile(top, name);
      return;
    }
    try (Handle directory = top.openDirectory(name)) {
      for (List<byte[]> names = directory.nextNames();
          !names.isEmpty();
          names = directory.nextNames()) {
        for (byte[] inner : names) {
          if (!isDirectory(directory, inner)) {
            removeFile(directory, inner);
          } else if (!removedDirectory(directory, inner)) {
            moveUp(directory, inner);
          }
        }
      }
    }
    // Not empty if the file system skipped some names because of others' removal: the next pass.
    removedDirectory(top, name);
  }

  private static boolean isDirectory(Handle in, byte[] name) throws NativeFailure {
    try {
      return in.stat(name).isDirectory();
    } catch (NativeFailure e) {
      if (e.is(NativeFailure.ENOENT)) {
        return false;
      }
      throw e;
    }
  }

  private static void removeFile(Handle in, byte[] name) throws NativeFailure {
    try {
      in.removeFile(name);
    } catch (NativeFailure e) {
      if (!e.is(NativeFailure.ENOENT)) {
        throw e;
      }
    }
  }

  /** False if there is still something in it. */
  private static boolean removedDirectory(Handle in, byte[] name) throws NativeFailure {
    try {
      in.removeDirectory(name);
      return true;
    } catch (NativeFailure e) {
      if (e.is(NativeFailure.ENOTEMPTY) || e.is(NativeFailure.EEXIST)) {
        return false;
      }
      throw e;
    }
  }

  private void moveUp(Handle from, byte[] name) throws NativeFailure {
    while (true) {
      try {
        from.move(name, top, Handle.bytes(MOVED + moved++));
        return;
      } catch (NativeFailure e) {
        // A name that is taken, by something that was moved by an earlier attempt, say.
        if (!e.is(NativeFailure.ENOTEMPTY)
            && !e.is(NativeFailure.EEXIST)
            && !e.is(NativeFailure.ENOTDIR)) {
          throw e;
        }
      }
    }
  }
}
