package dev.berth.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A zip file that is filled piece by piece: what cannot be collected is noted, and the rest goes
 * on.
 */
final class SupportArchive implements AutoCloseable {
  /** Where a document comes from. */
  @FunctionalInterface
  interface Source {
    byte[] read() throws IOException;
  }

  private final Path file;
  private final ZipOutputStream zip;
  private final List<String> contents = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  private SupportArchive(Path file, ZipOutputStream zip) {
    this.file = file;
    this.zip = zip;
  }

  /** Makes a new file, for its owner only. */
  static SupportArchive create(Path file) {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return new SupportArchive(file, new ZipOutputStream(Files.newOutputStream(file)));
    } catch (FileAlreadyExistsException e) {
      throw new UncheckedIOException("%s exists: name another file.".formatted(file), e);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  private static UncheckedIOException cannotWrite(Path file, IOException e) {
    return new UncheckedIOException("%s cannot be written: %s".formatted(file, e.getMessage()), e);
  }

  /** Adds a document, or notes why there is none. */
  void add(String name, Source source) {
    byte[] bytes;
    try {
      bytes = source.read();
    } catch (IOException e) {
      missing.add(name + ": " + e.getMessage());
      return;
    }
    write(name, bytes);
    contents.add(name);
  }

  private void write(String name, byte[] bytes) {
    try {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(bytes);
      zip.closeEntry();
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /** What could not be collected, and why. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  /** Closes the archive with a table of contents. */
  @Override
  public void close() {
    StringBuilder text = new StringBuilder("Contents:\n");
    contents.forEach(name -> text.append("  ").append(name).append('\n'));
    if (!missing.isEmpty()) {
      text.append("Missing:\n");
      missing.forEach(line -> text.append("  ").append(line).append('\n'));
    }
    write("contents.txt", text.toString().getBytes(UTF_8));
    try {
      zip.close();
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }
}
