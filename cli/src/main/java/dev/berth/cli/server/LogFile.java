package dev.berth.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The file to which a server in the background logs: appended to, and put aside when it is large.
 *
 * @param before how many bytes earlier servers wrote
 */
record LogFile(Path file, long before) {
  private static final long LARGE = 10L << 20;
  private static final int LINES = 20;
  private static final Pattern WARNING =
      Pattern.compile("^\\S+ (WARN|ERROR) |\"level\":\"(warn|error)\"");

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
    List<String> lines = lines();
    List<String> said = lines.stream().filter(line -> line.startsWith("berth: ")).toList();
    return said.isEmpty() ? lines.subList(Math.max(0, lines.size() - LINES), lines.size()) : said;
  }

  /** What the last server has warned of so far, in either format of the log. */
  List<String> warnings() {
    return lines().stream().filter(line -> WARNING.matcher(line).find()).limit(LINES).toList();
  }

  /** What the last server wrote. */
  private List<String> lines() {
    try (var in = Files.newInputStream(file)) {
      in.skipNBytes(before);
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
