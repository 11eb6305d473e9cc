package dev.berth.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The file to which a server in the background logs: appended to, and put aside when it is large.
 *
 * @param before how many bytes earlier servers wrote
 */
record LogFile(Path file, long before) {
  private static final long LARGE = 10L << 20;
  private static final int LINES = 20;

  /** Opens or makes the file, for its owner only. */
  static LogFile open(Path file) {
    try {
      if (Files.exists(file) && Files.size(file) > LARGE) {
        Files.move(
            file,
            file.resolveSibling(file.getFileName() + ".1"),
            StandardCopyOption.REPLACE_EXISTING);
      }
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      return new LogFile(file, Files.size(file));
    } catch (IOException e) {
      throw new UncheckedIOException("The log %s cannot be written.".formatted(file), e);
    }
  }

  /** Why the last server failed: the sentences that it said itself, or else the end of its log. */
  List<String> reasons() {
    try (var in = Files.newInputStream(file)) {
      in.skipNBytes(before);
      List<String> lines = new String(in.readAllBytes(), UTF_8).lines().toList();
      List<String> said = lines.stream().filter(line -> line.startsWith("berth: ")).toList();
      return said.isEmpty() ? lines.subList(Math.max(0, lines.size() - LINES), lines.size()) : said;
    } catch (IOException e) {
      return List.of();
    }
  }
}
