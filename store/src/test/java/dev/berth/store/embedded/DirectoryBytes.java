package dev.berth.store.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** The files of a store as they are on disk. Only for stores that are not open in this process. */
final class DirectoryBytes {

  private DirectoryBytes() {}

  /**
   * Each file's name and a digest of what it holds, but for the lock, and for the shared memory and
   * the empty log that SQLite makes to look at a database.
   */
  static Map<String, String> of(Path directory) {
    var digests = new TreeMap<String, String>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        boolean emptyLog = name.endsWith("-wal") && Files.size(file) == 0;
        if (!name.equals("lock") && !name.endsWith("-shm") && !emptyLog) {
          digests.put(name, digest(Files.readAllBytes(file)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return digests;
  }

  private static String digest(byte[] bytes) {
    var crc = new CRC32();
    crc.update(bytes);
    return bytes.length + ":" + HexFormat.of().toHexDigits(crc.getValue() ^ Arrays.hashCode(bytes));
  }

  /** Copies the files of a store that may be open here, in another process: see DataDirectory. */
  static void copyLive(Path from, Path to) throws Exception {
    int code =
        new ProcessBuilder("cp", "-r", "--", from.toString(), to.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("cp ended with " + code);
    }
  }

  static void copy(Path from, Path to) throws IOException {
    if (Files.exists(to)) {
      try (Stream<Path> files = Files.list(to)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
