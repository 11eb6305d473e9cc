package dev.berth.agent.image;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The images that were imported to this machine: a directory for each, by its digest, with {@code
 * image.json} and the files in {@code root}. Other processes may import at any time, so the
 * directories are looked at again for each question.
 */
public final class ImageStore {
  private final Path directory;

  public ImageStore(Path directory) {
    this.directory = directory;
  }

  /** The image of a name, in its short or its full form, or of an id. */
  public Optional<ImportedImage> find(String name) {
    String full = ImageNames.full(name);
    return list().stream()
        .filter(image -> image.names().contains(full) || image.id().equals(name))
        .findFirst();
  }

  /** All of them, the largest first. */
  public List<ImportedImage> list() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<ImportedImage> images = new ArrayList<>();
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : children.toList()) {
        if (Files.exists(child.resolve("image.json"))) {
          images.add(read(child));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    images.sort(
        Comparator.comparingLong(ImportedImage::bytes).reversed().thenComparing(ImportedImage::id));
    return images;
  }

  private static ImportedImage read(Path child) throws IOException {
    JsonObject json = ImageArchive.read(child.resolve("image.json"));
    return new ImportedImage(
        json.array("names").texts(),
        json.text("id", ""),
        json.integer("bytes").orElse(0),
        child.resolve("root"),
        ImageConfig.read(json.object("config")));
  }

  /**
   * Imports an archive with an image under a name. Another image of that name loses it, but stays:
   * containers may run in it.
   *
   * @throws IOException with what is wrong with the archive, for people
   */
  public ImportedImage importArchive(String name, Path archive) throws IOException {
    Files.createDirectories(directory);
    Path draft = Files.createTempDirectory(directory, ".import");
    try {
      Path unpacked = Files.createDirectory(draft.resolve("archive"));
      ImageArchive image = ImageArchive.open(archive, unpacked);
      Path root = Files.createDirectory(draft.resolve("root"));
      Files.setAttribute(root, "unix:mode", 0755);
      LayerUnpacker unpacker = new LayerUnpacker(root);
      for (Path layer : image.layers()) {
        try (InputStream input = ImageArchive.decompressed(layer)) {
          unpacker.unpack(new TarReader(input));
        }
      }
      JsonObject config = ImageArchive.read(image.config()).object("config");
      LayerUnpacker.delete(unpacked);
      return keep(name, image.configDigest(), unpacker.bytes(), config, draft);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (JsonException e) {
      throw new IOException("the image is damaged: " + e.getMessage(), e);
    } finally {
      LayerUnpacker.delete(draft);
    }
  }

  private ImportedImage keep(String name, String id, long bytes, JsonObject config, Path draft)
      throws IOException {
    String full = ImageNames.full(name);
    remove(name, id);
    Path place = directory.resolve(id.replace(':', '-'));
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(place)) {
      names.addAll(read(place).names());
    } else {
      write(draft, List.of(full), id, bytes, config);
      Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
    }
    if (!names.contains(full)) {
      names.add(full);
      write(place, names, id, bytes, config);
    }
    return read(place);
  }

  private static void write(
      Path place, List<String> names, String id, long bytes, JsonObject config) throws IOException {
    Path draft = place.resolve("image.json.new");
    Files.write(
        draft,
        JsonWriter.toBytes(
            new JsonObject.Builder()
                .put("names", JsonArray.copyOf(names))
                .put("id", id)
                .put("bytes", bytes)
                .put("config", config)
                .build()));
    Files.move(draft, place.resolve("image.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Removes a name, and the image with its last name. Nothing may run in it.
   *
   * @return whether there was one
   */
  public boolean remove(String name) throws IOException {
    return remove(name, "");
  }

  private boolean remove(String name, String exceptId) throws IOException {
    Optional<ImportedImage> found = find(name);
    if (found.isEmpty() || found.get().id().equals(exceptId)) {
      return false;
    }
    ImportedImage image = found.get();
    Path place = directory.resolve(image.id().replace(':', '-'));
    List<String> names = new ArrayList<>(image.names());
    names.remove(ImageNames.full(name));
    if (names.isEmpty() && exceptId.isEmpty()) {
      // First out of sight, so that nobody finds half of it.
      Path gone = Files.createTempDirectory(directory, ".removed");
      Files.move(place, gone.resolve("image"), StandardCopyOption.ATOMIC_MOVE);
      LayerUnpacker.delete(gone);
    } else {
      JsonObject config = ImageArchive.read(place.resolve("image.json")).object("config");
      write(place, names, image.id(), image.bytes(), config);
    }
    return true;
  }
}
