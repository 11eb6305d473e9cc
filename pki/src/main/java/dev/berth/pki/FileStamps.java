package dev.berth.pki;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells whether files of a directory were replaced, without reading them: by their identities,
 * their sizes and when they were written.
 */
public final class FileStamps {
  private FileStamps() {}

  public static String of(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().map(FileStamps::stamp).collect(Collectors.joining("\n"));
    } catch (IOException | UncheckedIOException e) {
      throw new PkiException("The directory %s cannot be read (%s).".formatted(directory, e), e);
    }
  }

  private static String stamp(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return "%s %s %d %s"
          .formatted(
              file.getFileName(),
              attributes.fileKey(),
              attributes.size(),
              attributes.lastModifiedTime());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
