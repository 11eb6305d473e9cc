package dev.berth.agent.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Variables that a container finds in a file of a volume, a line {@code NAME=VALUE} each. Values
 * may stand in quotes; what begins with {@code #} says nothing.
 */
final class EnvFile {
  private static final int LARGEST = 64 << 10;

  private EnvFile() {}

  /** The value of a variable; empty if the file does not name it. */
  static Optional<String> read(Path volume, String file, String key) throws EnvironmentFailure {
    try {
      Path root = volume.toRealPath();
      Path path = root.resolve(file).toRealPath();
      // A link that somebody put into the volume must not lead out of it.
      if (!path.startsWith(root) || Files.size(path) > LARGEST) {
        throw new EnvironmentFailure("couldn't parse env file");
      }
      return Files.readAllLines(path, UTF_8).stream()
          .map(String::strip)
          .filter(line -> !line.startsWith("#") && line.startsWith(key + "="))
          .map(line -> unquoted(line.substring(key.length() + 1).strip()))
          .reduce((_, later) -> later);
    } catch (IOException e) {
      throw new EnvironmentFailure("couldn't parse env file");
    }
  }

  private static String unquoted(String value) {
    boolean quoted =
        value.length() > 1
            && (value.charAt(0) == '\'' || value.charAt(0) == '"')
            && value.charAt(value.length() - 1) == value.charAt(0);
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
