package dev.berth.cli.machines;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an agent has on this machine, beside what it needs itself, when it has no pods. */
final class Leftovers {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final int DEEPEST = 6;
  private static final Path DEVICES = Path.of("/sys/class/net");

  private Leftovers() {}

  /**
   * @param node the agent's directory
   */
  static List<String> of(Path node) throws IOException {
    List<String> left = new ArrayList<>();
    Path pods = node.resolve("pods");
    for (Path pod : children(pods)) {
      left.add("directory " + pod);
    }
    for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      if (line.contains(" " + pods)) {
        left.add("mount " + line);
      }
    }
    for (Path device : children(DEVICES)) {
      if (device.getFileName().toString().startsWith("bv")) {
        left.add("device " + device.getFileName());
      }
    }
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      if (process.info().commandLine().orElse("").contains(pods + "/")
          || environment(process.pid()).contains("CRASH_POD=" + node.resolveSibling("runs"))) {
        left.add("process " + process.info().commandLine().orElse("" + process.pid()));
      }
    }
    return left;
  }

  /** Groups of pods below an agent's own, in all hierarchies. */
  static List<String> cgroups(String uidOfPod) throws IOException {
    List<String> found = new ArrayList<>();
    Files.walkFileTree(
        CGROUPS,
        Set.of(),
        DEEPEST,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path group, BasicFileAttributes attributes) {
            if (group.getFileName().toString().contains("pod" + uidOfPod)) {
              found.add(group.toString());
            }
            return FileVisitResult.CONTINUE;
          }

          // Others' groups come and go meanwhile.
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path group, @Nullable IOException why) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return children.toList();
    }
  }

  /** The environment of a process; empty if it has just ended. */
  static String environment(long process) {
    try {
      return Files.readString(Path.of("/proc/" + process + "/environ"));
    } catch (IOException e) {
      return "";
    }
  }
}
