package dev.berth.agent.runtime.process;

import dev.berth.agent.image.PathInRoot;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.RuntimeFailure;
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

  void check(String program, String path, String workingDirectory) throws RuntimeFailure {
    if (program.contains("=")) {
      throw new RuntimeFailure(
          "RunContainerError",
          "exec: \"%s\": a program with = in its name cannot be run".formatted(program));
    }
    if (program.contains("/")) {
      Path place = Path.of("/", workingDirectory).resolve(program).normalize();
      switch (look(place)) {
        case MISSING -> throw failure(program, "stat " + place + ": no such file or directory");
        case NOT_EXECUTABLE -> throw failure(program, "permission denied");
        case FOUND -> {}
      }
      return;
    }
    for (String directory : path.split(":", -1)) {
      if (look(Path.of("/", directory, program).normalize()) == Found.FOUND) {
        return;
      }
    }
    throw failure(program, "executable file not found in $PATH");
  }

  private static RuntimeFailure failure(String program, String why) {
    return new RuntimeFailure(
        "RunContainerError",
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
