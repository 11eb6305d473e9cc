package dev.berth.store.embedded;

import dev.berth.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory of one store, held for one process by a lock on its {@code lock} file.
 *
 * <p>A POSIX lock belongs to the process and falls when the process closes <em>any</em> handle of
 * the file. So a second open within this process must be refused before it touches the lock file,
 * and nothing here reads SQLite's files other than through SQLite, which locks them the same way.
 */
final class DataDirectory implements AutoCloseable {

  static final String DATABASE = "berth.db";
  static final String LOCK = "lock";

  /** A database that is being restored; it gets its name once it is complete. */
  static final String RESTORING = DATABASE + ".restoring";

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private DataDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Creates the directory if there is none, and takes it for this process. */
  static DataDirectory claim(Path directory) {
    Path path = create(directory);
    if (!HELD_HERE.add(path)) {
      throw new StoreException(
          "The directory %s is already open in this process: close it first.".formatted(path));
    }
    try {
      return new DataDirectory(path, lock(path));
    } catch (IOException e) {
      HELD_HERE.remove(path);
      throw unusable(path, e);
    } catch (RuntimeException e) {
      HELD_HERE.remove(path);
      throw e;
    }
  }

  private static Path create(Path directory) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new StoreException(
          "%s is a file, but the store needs a directory: name another one.".formatted(directory));
    }
    try {
      return Files.createDirectories(directory, OWNER_ONLY).toRealPath();
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path.resolve(LOCK),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OWNER_FILE);
    try {
      if (channel.tryLock() == null) {
        throw new StoreException(
            "The directory %s is in use by process %s: stop that process or name another directory."
                .formatted(path, holder(channel)));
      }
      channel.truncate(0);
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).trim();
    return pid.isEmpty() ? "(unknown)" : pid;
  }

  static StoreException unusable(Path path, IOException cause) {
    String reason = cause instanceof FileSystemException f ? f.getReason() : cause.getMessage();
    if (reason == null) {
      reason = cause instanceof AccessDeniedException ? "Permission denied" : cause.toString();
    }
    return new StoreException(
        "The directory %s cannot be used (%s): make it writable for this user or name another one."
            .formatted(path, reason));
  }

  Path path() {
    return path;
  }

  Path database() {
    return path.resolve(DATABASE);
  }

  /** Makes new and renamed names in a directory durable. */
  static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static void syncFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new StoreException("The lock of %s could not be released.".formatted(path), e);
    } finally {
      HELD_HERE.remove(path);
    }
  }
}
