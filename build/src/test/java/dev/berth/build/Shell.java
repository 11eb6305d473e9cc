package dev.berth.build;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the scripts of this repository in a real bash. */
final class Shell {
  static final Path ROOT = root();

  private Shell() {}

  /**
   * How a command ended.
   *
   * @param output what it said, on standard output and standard error
   */
  record Ended(int status, String output) {}

  /** Runs a line after build's functions were sourced, which take {@code root} for the clone. */
  static Ended functions(Path root, String line, Map<String, String> environment) throws Exception {
    String sourced = "for f in %s/build/*.sh; do . $f; done; ".formatted(ROOT);
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-uc", "root=" + root + "; " + sourced + line);
    builder.environment().putAll(environment);
    return end(builder.directory(root.toFile()));
  }

  /** Runs a script by its path in the repository. */
  static Ended script(String... words) throws Exception {
    return end(new ProcessBuilder(List.of(words)).directory(ROOT.toFile()));
  }

  private static Ended end(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    return new Ended(process.waitFor(), output);
  }

  /** Writes a file, making the folders that it needs. */
  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("build/toolchain.sh"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("the tests run in a clone of the repository");
      }
      folder = parent;
    }
    return folder;
  }
}
