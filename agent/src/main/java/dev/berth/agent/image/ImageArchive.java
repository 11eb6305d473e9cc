package dev.berth.agent.image;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * An archive with an image, as {@code docker save} and OCI tools write it, unpacked to a directory.
 *
 * @param configDigest such as {@code sha256:…}
 */
record ImageArchive(Path config, String configDigest, List<Path> layers) {
  private static final int GZIP_MAGIC = 0x8b1f;

  /** Unpacks an archive to a directory and finds the image in it. */
  static ImageArchive open(Path archive, Path directory) throws IOException {
    try (InputStream input = decompressed(archive)) {
      LayerUnpacker unpacker = new LayerUnpacker(directory);
      unpacker.unpack(new TarReader(input));
    }
    if (Files.isRegularFile(directory.resolve("index.json"))) {
      return ofOci(directory);
    }
    if (Files.isRegularFile(directory.resolve("manifest.json"))) {
      return ofDocker(directory);
    }
    throw new IOException(
        archive + " has neither index.json nor manifest.json: it is not an image");
  }

  /** Content that may be compressed with gzip. */
  static InputStream decompressed(Path file) throws IOException {
    BufferedInputStream input = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    input.mark(2);
    int magic = input.read() | input.read() << 8;
    input.reset();
    return magic == GZIP_MAGIC ? new GZIPInputStream(input, 1 << 16) : input;
  }

  private static ImageArchive ofOci(Path directory) throws IOException {
    JsonObject manifest = read(directory.resolve("index.json"));
    // An index may lead to another one, with an image for each architecture.
    for (int depth = 0; manifest.has("manifests"); depth++) {
      if (depth == 3) {
        throw new IOException("the image's index leads nowhere");
      }
      manifest = read(blob(directory, digest(choose(manifest.array("manifests")))));
    }
    String config = digest(manifest.object("config"));
    return new ImageArchive(
        blob(directory, config),
        config,
        manifest.array("layers").objects().stream()
            .map(layer -> checkedBlob(directory, layer))
            .toList());
  }

  private static JsonObject choose(JsonArray manifests) throws IOException {
    String architecture = System.getProperty("os.arch", "").equals("aarch64") ? "arm64" : "amd64";
    List<JsonObject> candidates =
        manifests.objects().stream()
            .filter(each -> {
              JsonObject platform = each.object("platform");
              return platform.isEmpty() || platform.text("architecture", "").equals(architecture);
            })
            .toList();
    if (candidates.isEmpty()) {
      throw new IOException("the archive has no image for " + architecture);
    }
    return candidates.getFirst();
  }

  private static String digest(JsonObject descriptor) {
    return descriptor.text("digest", "");
  }

  private static Path checkedBlob(Path directory, JsonObject descriptor) {
    try {
      String type = descriptor.text("mediaType", "");
      if (type.contains("zstd")) {
        throw new IOException("layers that are compressed with zstd cannot be read: use gzip");
      }
      return blob(directory, digest(descriptor));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A blob, which must be what its digest says. */
  private static Path blob(Path directory, String digest) throws IOException {
    if (!digest.matches("sha256:[0-9a-f]{64}")) {
      throw new IOException("the image has a digest that is not of SHA-256: " + digest);
    }
    Path blob = directory.resolve("blobs/sha256").resolve(digest.substring(7));
    if (!Files.isRegularFile(blob, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("the archive lacks the blob " + digest);
    }
    if (!digest(blob).equals(digest)) {
      throw new IOException("the archive is damaged: " + digest + " has another content");
    }
    return blob;
  }

  private static ImageArchive ofDocker(Path directory) throws IOException {
    Object manifest =
        JsonReader.value(
            Files.readAllBytes(directory.resolve("manifest.json")), JsonLimits.REQUEST);
    if (!(manifest instanceof JsonArray array) || array.isEmpty()) {
      throw new IOException("the archive's manifest.json names no image");
    }
    JsonObject image = array.objects().getFirst();
    Path config = PathInRoot.resolve(directory, image.text("Config", ""));
    return new ImageArchive(
        config,
        digest(config),
        image.array("Layers").texts().stream()
            .map(layer -> PathInRoot.resolve(directory, layer))
            .toList());
  }

  static JsonObject read(Path file) throws IOException {
    return JsonReader.object(Files.readAllBytes(file), JsonLimits.REQUEST);
  }

  private static String digest(Path file) throws IOException {
    try (DigestInputStream input =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      input.transferTo(OutputStream.nullOutputStream());
      return "sha256:" + HexFormat.of().formatHex(input.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
