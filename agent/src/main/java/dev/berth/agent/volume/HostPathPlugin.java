package dev.berth.agent.volume;

import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Files and directories of the machine. They are not the pod's own, and nothing changes them. */
record HostPathPlugin() implements VolumePlugin {

  @Override
  public PreparedVolume setUp(PodVolume volume) throws SetUpException, IOException {
    return setUp(volume.source().text("path", ""), volume.source().text("type", ""), false);
  }

  PreparedVolume setUp(String path, String type, boolean isReadOnly)
      throws SetUpException, IOException {
    if (List.of(path.split("/", -1)).contains("..")) {
      throw new SetUpException("invalid HostPath `%s`: must not contain '..'".formatted(path));
    }
    if (!path.startsWith("/")) {
      throw new SetUpException("invalid HostPath `%s`: must be an absolute path".formatted(path));
    }
    check(path, type);
    return new PreparedVolume(path, isReadOnly);
  }

  private static void check(String path, String type) throws SetUpException, IOException {
    switch (type) {
      case "" -> {}
      case "DirectoryOrCreate" -> {
        if (stat(path).isEmpty()) {
          makeDirectories(Path.of(path));
        }
        require(path, FileStat::isDirectory, "a directory");
      }
      case "Directory" -> require(path, FileStat::isDirectory, "a directory");
      case "FileOrCreate" -> {
        if (stat(path).isEmpty()) {
          makeFile(Path.of(path));
        }
        require(path, FileStat::isRegular, "a file");
      }
      case "File" -> require(path, FileStat::isRegular, "a file");
      case "Socket" -> require(path, FileStat::isSocket, "a socket file");
      case "CharDevice" -> require(path, FileStat::isCharacterDevice, "a character device");
      case "BlockDevice" -> require(path, FileStat::isBlockDevice, "a block device");
      default -> throw new SetUpException(type + " is an invalid volume type");
    }
  }

  private static void require(String path, Predicate<FileStat> isRight, String wanted)
      throws SetUpException, IOException {
    if (stat(path).filter(isRight).isEmpty()) {
      throw new SetUpException("hostPath type check failed: %s is not %s".formatted(path, wanted));
    }
  }

  /** What links lead to; empty if nothing is there. */
  static Optional<FileStat> stat(String path) throws IOException {
    try (Handle file = Handle.follow(path)) {
      return Optional.of(file.stat());
    } catch (NativeFailure e) {
      if (e.is(NativeFailure.ENOENT) || e.is(NativeFailure.ENOTDIR)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static void makeDirectories(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      makeDirectories(parent);
    }
    try {
      Files.createDirectory(directory);
      Files.setAttribute(directory, "unix:mode", 0755);
    } catch (FileAlreadyExistsException others) {
      // Somebody else made it just now; what it is is checked next.
    }
  }

  private static void makeFile(Path file) throws IOException {
    try {
      Files.createFile(file);
      Files.setAttribute(file, "unix:mode", 0644);
    } catch (FileAlreadyExistsException others) {
      // Likewise.
    }
  }
}
