package dev.berth.pki;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Files that only their owner may read, each written whole or not at all. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFiles() {}

  /** Makes the directory and its parents if need be, and closes it to others. */
  static void directory(Path directory) {
    try {
      Files.createDirectories(directory, attribute(OWNER_DIRECTORY));
      Files.setPosixFilePermissions(directory, OWNER_DIRECTORY);
    } catch (IOException e) {
      throw unusable("directory", directory, e);
    }
  }

  /** The text of a file, if there is one. Closes it to others. */
  static Optional<String> read(Path file) {
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      Files.setPosixFilePermissions(file, OWNER_FILE);
      return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw unusable("file", file, e);
    }
  }

  /** Replaces a file, so that after a crash there is the old one or the new one. */
  static void write(Path file, String text) {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new PkiException("%s is a directory: name a file.".formatted(file));
    }
    try {
      Path draft = Files.createTempFile(directory, ".berth", ".new", attribute(OWNER_FILE));
      try {
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
          ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft);
      }
      force(directory);
    } catch (IOException e) {
      throw unusable("file", file, e);
    }
  }

  /** Puts a file in the place of another one in its directory, after a crash too. */
  static void replace(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      force(to.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw unusable("file", to, e);
    }
  }

  /** Deletes a file, if there is one. */
  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
      force(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw unusable("file", file, e);
    }
  }

  private static void force(@Nullable Path directory) throws IOException {
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> attribute(
      Set<PosixFilePermission> permissions) {
    return PosixFilePermissions.asFileAttribute(permissions);
  }

  private static PkiException unusable(String what, Path path, IOException cause) {
    String reason = cause instanceof FileSystemException f ? f.getReason() : cause.getMessage();
    if (reason == null) {
      reason = cause instanceof AccessDeniedException ? "Permission denied" : cause.toString();
    }
    return new PkiException(
        "The %s %s cannot be used (%s): make it readable and writable for this user."
            .formatted(what, path, reason),
        cause);
  }
}
