package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes archives like those of {@code docker save}, with one layer. */
final class DockerArchive {
  private DockerArchive() {}

  static void write(Path archive, Path build, Path root, String config) throws IOException {
    Files.writeString(build.resolve("config.json"), config);
    Files.writeString(
        build.resolve("manifest.json"),
        """
        [{"Config":"config.json","RepoTags":["tiny:1"],"Layers":["layer.tar"]}]
        """);
    Tool.runIn(
        build,
        List.of(
            "tar",
            "--create",
            "--gzip",
            "--file",
            "layer.tar",
            "--directory",
            root.toString(),
            "."));
    Tool.runIn(
        build,
        List.of(
            "tar",
            "--create",
            "--file",
            archive.toString(),
            "config.json",
            "manifest.json",
            "layer.tar"));
  }
}
