package dev.berth.agent.image;

import dev.berth.agent.device.DurableFile;
import dev.berth.model.resource.NameHash;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files about images, one each, in a directory that is for root alone; named by what they are about
 * as kubelets name them, so that either finds what the other has left.
 */
final class PullRecords {
  private static final Logger LOG = LoggerFactory.getLogger("images");
  private static final String PREFIX = "sha256-";

  private final Path directory;

  PullRecords(Path directory) {
    this.directory = directory;
  }

  private Path file(String about) {
    return directory.resolve(PREFIX + NameHash.sha256(about));
  }

  boolean has(String about) {
    return Files.exists(file(about));
  }

  /**
   * Reads one; empty if there is none.
   *
   * @throws IOException if it cannot be read, or is damaged
   */
  Optional<JsonObject> find(String about) throws IOException {
    return has(about) ? Optional.of(read(file(about))) : Optional.empty();
  }

  private static JsonObject read(Path file) throws IOException {
    try {
      return JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED);
    } catch (JsonException e) {
      throw new IOException("%s is damaged: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** All that can be read. */
  List<JsonObject> all() throws IOException {
    List<JsonObject> records = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(PullRecords::isRecord).sorted().toList()) {
          try {
            records.add(read(file));
          } catch (IOException e) {
            LOG.warn("{}", e.getMessage());
          }
        }
      }
    }
    return records;
  }

  private static boolean isRecord(Path file) {
    return file.getFileName().toString().startsWith(PREFIX);
  }

  void write(String about, JsonObject record) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    DurableFile.write(file(about), JsonWriter.toBytes(record));
  }

  void delete(String about) throws IOException {
    Files.deleteIfExists(file(about));
  }
}
