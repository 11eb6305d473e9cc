package dev.berth.agent.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a program of the machine to its end. */
final class Tool {
  private Tool() {}

  static void run(String... command) throws IOException {
    runIn(Path.of("/"), List.of(command));
  }

  /** Fails with what the program said if its exit code is not 0. */
  static void runIn(Path directory, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            "%s: exit code %d: %s".formatted(String.join(" ", command), code, said));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while running " + command.getFirst(), e);
    }
  }
}
