package dev.berth.agent.cgroup;

import dev.berth.agent.runtime.PodUsage.Pressures;
import dev.berth.agent.runtime.Pressure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Reads and writes the small files by which the kernel shows groups, and removes groups. */
final class CgroupFiles {
  /** The kernel does not say when a killed process has left its group. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

  private static final int LOOKS = 5000;

  /** Version 1 writes a number of about this size where there is no limit, rounded to pages. */
  private static final long UNLIMITED = 1L << 62;

  private static final String HUGE_PAGES = "hugetlb.";

  private CgroupFiles() {}

  /** A group in a tree; never the tree itself, which is the whole machine. */
  static Path group(Path tree, String group) {
    Path path = tree.resolve(group).normalize();
    if (group.isEmpty() || path.equals(tree) || !path.startsWith(tree)) {
      throw new IllegalArgumentException("not a cgroup: \"" + group + "\"");
    }
    return path;
  }

  static void write(Path file, String value) throws IOException {
    try {
      Files.writeString(file, value, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new IOException("cannot write %s to %s: %s".formatted(value, file, e.getMessage()), e);
    }
  }

  /** Kills a group by its file, unless it goes at this moment. */
  static void kill(Path file) throws IOException {
    try {
      writeIfExists(file, "1");
    } catch (IOException e) {
      if (Files.exists(file)) {
        throw e;
      }
    }
  }

  static void writeIfExists(Path file, String value) throws IOException {
    if (Files.exists(file)) {
      write(file, value);
    }
  }

  /**
   * Limits the huge pages of a group, of each size that the kernel has.
   *
   * @param ending how the names of the files end that have limits, such as {@code .max}
   * @param bytes by size; those that are not there are none
   */
  static void limitHugePages(Path group, String ending, Map<String, Long> bytes)
      throws IOException {
    String[] files = group.toFile().list();
    for (String file : files == null ? new String[0] : files) {
      String size = file.startsWith(HUGE_PAGES) ? file.substring(HUGE_PAGES.length()) : "";
      // There are files for what is reserved and not used yet, too: hugetlb.2MB.rsvd.max.
      if (size.endsWith(ending) && size.indexOf('.') == size.length() - ending.length()) {
        long limit = bytes.getOrDefault(size.substring(0, size.indexOf('.')), 0L);
        write(group.resolve(file), "" + limit);
      }
    }
  }

  static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A file's number; 0 if there is none. */
  static long number(Path file) {
    return read(file).map(CgroupFiles::parse).orElse(0L);
  }

  /** A limit; empty if there is none, or no file for it. */
  static OptionalLong limit(Path file) {
    return read(file).map(CgroupFiles::parsedLimit).orElse(OptionalLong.empty());
  }

  /** A limit as files of groups have it. */
  static String orMax(OptionalLong limit) {
    return limit.isPresent() ? "" + limit.getAsLong() : "max";
  }

  static OptionalLong parsedLimit(String text) {
    long limit = text.equals("max") ? UNLIMITED : parse(text);
    return limit < UNLIMITED ? OptionalLong.of(limit) : OptionalLong.empty();
  }

  /** How much the processes of a group have to wait; nothing where the kernel does not count it. */
  static Pressures pressures(Path group) {
    return new Pressures(
        pressure(group.resolve("cpu.pressure")),
        pressure(group.resolve("memory.pressure")),
        pressure(group.resolve("io.pressure")));
  }

  private static Pressure pressure(Path file) {
    return Pressure.parse(read(file).orElse(""));
  }

  /** The number beside a word in a file of lines such as {@code oom_kill 3}; 0 if there is none. */
  static long field(Path file, String word) {
    return field(read(file).orElse(""), word);
  }

  /** The same in the text of such a file, for who needs several. */
  static long field(String text, String word) {
    return text.lines()
        .filter(line -> line.startsWith(word + " "))
        .findFirst()
        .map(line -> parse(line.substring(word.length() + 1).strip()))
        .orElse(0L);
  }

  private static long parse(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0; // "max", or a file of a newer kernel
    }
  }

  /** The processes of a group and all below it. */
  static List<Long> processes(Path group) throws IOException {
    List<Long> processes = new ArrayList<>();
    for (Path each : groups(group)) {
      read(each.resolve("cgroup.procs")).stream()
          .flatMap(String::lines)
          .forEach(line -> processes.add(parse(line)));
    }
    return processes;
  }

  /** A group and all below it, the deepest first. */
  static List<Path> groups(Path group) throws IOException {
    if (!Files.isDirectory(group, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<Path> groups = new ArrayList<>();
    for (Path child : children(group)) {
      groups.addAll(groups(child));
    }
    groups.add(group);
    return groups;
  }

  /** The groups in a group; none if there is no such group. */
  static List<Path> children(Path group) throws IOException {
    try (Stream<Path> children = Files.list(group)) {
      return children.filter(child -> Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (UncheckedIOException e) {
      // It went while it was read.
      return List.of();
    }
  }

  static void remove(Path group) throws IOException {
    for (Path each : groups(group)) {
      removeOne(each);
    }
  }

  private static void removeOne(Path group) throws IOException {
    for (int look = 1; ; look++) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (IOException e) {
        if (look == LOOKS) {
          throw new IOException(
              "cgroup %s still has the processes %s".formatted(group, processes(group)), e);
        }
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
    }
  }
}
