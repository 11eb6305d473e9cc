package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of this repository, for tests of its own rules. */
public final class Repository {
  public static final Path ROOT = root();

  private Repository() {}

  /** The folders with a pom of their own. */
  static List<Path> modules() {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders.filter(f -> Files.exists(f.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Java sources whose path below the root is accepted. */
  static List<Path> sources(Predicate<String> path) {
    return modules().stream()
        .map(module -> module.resolve("src"))
        .filter(Files::isDirectory)
        .flatMap(Repository::walk)
        .filter(file -> file.toString().endsWith(".java") && path.test(name(file)))
        .toList();
  }

  /** The pages of documentation. */
  static List<Path> pages() {
    try (Stream<Path> root = Files.list(ROOT)) {
      return Stream.concat(root.sorted(), walk(ROOT.resolve("docs")))
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String name(Path file) {
    return ROOT.relativize(file).toString();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> walk(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/architecture.md"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException(
            "the tests run in a clone of the repository, not elsewhere");
      }
      folder = parent;
    }
    return folder;
  }
}
