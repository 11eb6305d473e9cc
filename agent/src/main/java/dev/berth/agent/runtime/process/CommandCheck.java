package dev.berth.agent.runtime.process;

import dev.berth.agent.image.PathInRoot;
import dev.berth.agent.runtime.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks for a container's program before it is started, so that the pod says what is missing rather
 * than that something ended with 127. What lies in a mount is not looked at: it may not be there
 * yet, and whoever starts it will tell.
 *
 * @param image the image's root directory; empty for the machine's programs
 * @param programs the machine's directories that its programs are in
 */
record CommandCheck(Optional<Path> image, List<Path> programs, List<Mount> mounts) {

  /** Why a program cannot be started; empty if nothing speaks against it. */
  Optional<String> error(String program, String path, String workingDirectory) {
    if (program.contains("=")) {
      return error(program, "a program with = in its name cannot be run");
    }
    if (program.contains("/")) {
      Path place = Path.of("/", workingDirectory).resolve(program).normalize();
      return switch (look(place)) {
        case MISSING -> error(program, "stat " + place + ": no such file or directory");
        case NOT_EXECUTABLE -> error(program, "permission denied");
        case FOUND -> Optional.empty();
      };
    }
    for (String directory : path.split(":", -1)) {
      if (look(Path.of("/", directory, program).normalize()) == Found.FOUND) {
        return Optional.empty();
      }
    }
    return error(program, "executable file not found in $PATH");
  }

  private static Optional<String> error(String program, String why) {
    return Optional.of(
        "unable to start container process: exec: \"%s\": %s".formatted(program, why));
  }

  private enum Found {
    FOUND,
    MISSING,
    NOT_EXECUTABLE
  }

  private Found look(Path place) {
    for (Mount mount : mounts) {
      if (place.startsWith(Path.of("/", mount.containerPath()))) {
        return Found.FOUND;
      }
    }
    Path file;
    if (image.isPresent()) {
      file = PathInRoot.resolve(image.get(), place.toString());
    } else if (programs.stream().anyMatch(place::startsWith)
        || programs.stream().anyMatch(each -> real(place).startsWith(each))) {
      file = place;
    } else {
      return Found.MISSING;
    }
    if (!Files.isRegularFile(file)) {
      return Found.MISSING;
    }
    return Files.isExecutable(file) ? Found.FOUND : Found.NOT_EXECUTABLE;
  }

  /** With links of the machine followed, such as /bin. */
  private static Path real(Path place) {
    try {
      return place.toRealPath();
    } catch (IOException e) {
      return place;
    }
  }
}
