package dev.berth.agent.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where the kernel and the distribution describe the machine. Tests give directories of their own.
 */
public record MachineRoots(Path proc, Path sys, Path etc) {
  public static final MachineRoots REAL =
      new MachineRoots(Path.of("/proc"), Path.of("/sys"), Path.of("/etc"));

  /** The text of a file without the white space around it; empty if it cannot be read. */
  static String text(Path file) {
    return new String(bytes(file), StandardCharsets.UTF_8).strip();
  }

  static List<String> lines(Path file) {
    return text(file).lines().toList();
  }

  static OptionalLong number(Path file) {
    return number(text(file));
  }

  static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** What is in a directory under names of a pattern; nothing if it cannot be read. */
  static List<Path> children(Path directory, String pattern) {
    List<Path> children = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, pattern)) {
        found.forEach(children::add);
      } catch (IOException e) {
        return List.of();
      }
    }
    return children;
  }

  /**
   * In large pieces: of a number of the kernel's, a read gets what fits into it, and nothing is
   * left for the next. {@code Files} begins with a piece of one byte.
   */
  private static byte[] bytes(Path file) {
    try (InputStream in = new FileInputStream(file.toFile())) {
      return in.readAllBytes();
    } catch (IOException e) {
      return new byte[0];
    }
  }
}
