package dev.berth.agent.runtime;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes sure that one agent alone works in a directory. */
public final class DirectoryLock {
  private DirectoryLock() {}

  /**
   * Locks a directory until the process ends, or the lock's channel is closed.
   *
   * @param file the name of the file in it that is locked
   * @throws IOException if another agent has it, in a sentence for the operator
   */
  public static FileLock take(Path directory, String file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return lock;
      }
    } catch (OverlappingFileLockException e) {
      // By this very process.
    }
    channel.close();
    throw new IOException("another agent runs in " + directory + ": stop it first");
  }

  /**
   * Does nothing if nobody has a lock.
   *
   * @throws IOException if an agent has it
   */
  public static void requireFree(Path directory, String file) throws IOException {
    if (Files.exists(directory.resolve(file))) {
      take(directory, file).acquiredBy().close();
    }
  }
}
