package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** An image of a few programs of this machine, in OCI's layout, for containerd and registries. */
final class TestImage {
  final Path layout;
  final String manifest;

  private TestImage(Path layout, String manifest) {
    this.layout = layout;
    this.manifest = manifest;
  }

  /**
   * Makes an image.
   *
   * @param layout where; a directory that it makes
   * @param name that it is known by
   * @param program the only one that is in it, beside its other names
   * @param links its other names
   * @param entrypoint JSON
   */
  static TestImage make(
      Path layout, String name, String program, List<String> links, String entrypoint)
      throws IOException {
    Path root = Files.createDirectories(layout.resolve("root"));
    Path binary = root.resolve(program.substring(1));
    Files.createDirectories(binary.getParent());
    Files.copy(Path.of(program), binary, StandardCopyOption.COPY_ATTRIBUTES);
    for (String link : links) {
      Path at = root.resolve(link.substring(1));
      Files.createDirectories(at.getParent());
      Files.createSymbolicLink(at, Path.of(program));
    }
    Files.createDirectories(root.resolve("tmp"));
    Files.createDirectories(root.resolve("etc"));
    Files.writeString(root.resolve("etc/passwd"), "root:x:0:0::/:/bin/sh\n");
    Path layer = layout.resolve("layer");
    run(
        "tar",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mtime=@0",
        "-C",
        root.toString(),
        "-cf",
        layer.toString(),
        ".");
    Blob tar = blob(layout, Files.readAllBytes(layer));
    Files.delete(layer);
    Blob config =
        blob(
            layout,
            """
            {"architecture":"amd64","os":"linux","config":{"Env":["PATH=/bin:/usr/bin"],\
            "Entrypoint":%s},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}\
            """
                .formatted(entrypoint, tar.hash)
                .getBytes(UTF_8));
    Blob manifest =
        blob(
            layout,
            """
            {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",\
            "config":{"mediaType":"application/vnd.oci.image.config.v1+json",%s},\
            "layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar",%s}]}\
            """
                .formatted(config.json(), tar.json())
                .getBytes(UTF_8));
    Files.writeString(
        layout.resolve("index.json"),
        """
        {"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json",\
        %s,"annotations":{"io.containerd.image.name":"%s"},\
        "platform":{"architecture":"amd64","os":"linux"}}]}\
        """
            .formatted(manifest.json(), name));
    Files.writeString(layout.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
    return new TestImage(layout, manifest.hash);
  }

  /** As one file. */
  Path archive() throws IOException {
    Path archive = layout.resolve("image.tar");
    run(
        "tar",
        "-C",
        layout.toString(),
        "-cf",
        archive.toString(),
        "oci-layout",
        "index.json",
        "blobs");
    return archive;
  }

  byte[] manifest() throws IOException {
    return Files.readAllBytes(layout.resolve("blobs/sha256").resolve(manifest));
  }

  private record Blob(String hash, long size) {
    String json() {
      return "\"digest\":\"sha256:%s\",\"size\":%d".formatted(hash, size);
    }
  }

  private static Blob blob(Path layout, byte[] content) throws IOException {
    try {
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
      Path blobs = Files.createDirectories(layout.resolve("blobs/sha256"));
      Files.write(blobs.resolve(hash), content);
      return new Blob(hash, content.length);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Fails, and says what to install, if a program is not there. */
  static void need(String program, String debianPackage) {
    if (!Files.exists(Path.of(program))) {
      throw new AssertionError(
          "%s is missing: install the Debian package %s".formatted(program, debianPackage));
    }
  }

  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }
}
