package dev.berth.agent.runtime.process;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files that the next agent reads: each is whole or not there. They need not survive a crash of the
 * machine, since what they describe does not either.
 */
final class StateFiles {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private StateFiles() {}

  static void makeDirectory(Path directory) throws IOException {
    Files.createDirectories(directory, OWNER_ONLY);
  }

  static void write(Path file, JsonObject content) throws IOException {
    write(file, JsonWriter.toBytes(content));
  }

  static void write(Path file, byte[] content) throws IOException {
    Path draft = file.resolveSibling("." + file.getFileName() + ".new");
    Files.write(draft, content);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static Optional<JsonObject> read(Path file) throws IOException {
    return Files.exists(file)
        ? Optional.of(JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED))
        : Optional.empty();
  }

  static Optional<String> readText(Path file) throws IOException {
    return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
  }

  /** What is in a directory, by name; nothing if there is none. */
  static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return children.sorted().toList();
    }
  }

  /**
   * Deletes a directory with all that is in it, and nothing that links in it point to. What
   * containers made may be nested deeper than paths can say; {@code rm} can cope with that.
   */
  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      Tool.run("rm", "-rf", "--one-file-system", "--", directory.toString());
    }
  }
}
