package dev.berth.agent.image;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lays the layers of an image over each other. Whatever a layer says, nothing outside of the root
 * directory is written, removed or linked to: names with {@code ..} are refused, links on the way
 * are followed as if the root were {@code /}, and a link at the end is replaced, not followed.
 * Devices are left out: they would not work in a container.
 */
final class LayerUnpacker {
  private static final String WHITEOUT = ".wh.";
  private static final String OPAQUE = ".wh..wh..opq";

  private final Path root;
  private long bytes;

  LayerUnpacker(Path root) {
    this.root = root;
  }

  long bytes() {
    return bytes;
  }

  void unpack(TarReader layer) throws IOException {
    Set<Path> ofThisLayer = new HashSet<>();
    for (Optional<TarReader.Entry> next = layer.next(); next.isPresent(); next = layer.next()) {
      unpack(next.get(), layer, ofThisLayer);
    }
  }

  private void unpack(TarReader.Entry entry, TarReader layer, Set<Path> ofThisLayer)
      throws IOException {
    Optional<Path> place = place(entry.name());
    if (place.isEmpty()) {
      return; // the root itself
    }
    Path path = place.get();
    String name = path.getFileName().toString();
    Path parent = parentOf(path);
    Files.createDirectories(parent);
    if (name.equals(OPAQUE)) {
      clear(parent, ofThisLayer);
    } else if (name.startsWith(WHITEOUT)) {
      delete(parent.resolve(name.substring(WHITEOUT.length())));
    } else {
      write(entry, layer, path);
      ofThisLayer.add(path);
    }
  }

  private static Path parentOf(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(path + " has no parent");
    }
    return parent;
  }

  /** Where an entry goes; empty for the root itself. */
  private Optional<Path> place(String name) throws IOException {
    List<String> parts =
        Stream.of(name.split("/", -1))
            .filter(part -> !part.isEmpty() && !part.equals("."))
            .toList();
    if (parts.contains("..") || name.indexOf('\0') >= 0) {
      throw new IOException("the image has a file with the name " + name);
    }
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    Path parent = PathInRoot.resolve(root, String.join("/", parts.subList(0, parts.size() - 1)));
    return Optional.of(parent.resolve(parts.getLast()));
  }

  private void write(TarReader.Entry entry, TarReader layer, Path path) throws IOException {
    boolean isDirectory = entry.type() == '5';
    if (!(isDirectory && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))) {
      delete(path);
    }
    switch (entry.type()) {
      case '0', '7' -> {
        bytes += entry.size();
        Files.copy(layer.content(), path);
      }
      case '1' -> {
        Path target =
            place(entry.link()).orElseThrow(() -> new IOException("the image links to its root"));
        Files.createLink(path, target);
        return;
      }
      case '2' -> Files.createSymbolicLink(path, Path.of(entry.link()));
      case '5' -> {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectory(path);
        }
      }
      default -> {
        return;
      }
    }
    Files.setAttribute(path, "unix:uid", entry.user(), LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(path, "unix:gid", entry.group(), LinkOption.NOFOLLOW_LINKS);
    if (entry.type() != '2') {
      // After the owner, which takes the bits away that make a program run as its owner.
      Files.setAttribute(path, "unix:mode", entry.mode(), LinkOption.NOFOLLOW_LINKS);
      Files.setLastModifiedTime(path, FileTime.fromMillis(entry.modified() * 1000));
    }
  }

  /** Removes what lower layers have in a directory. */
  private static void clear(Path directory, Set<Path> kept) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : children.toList()) {
        if (!kept.contains(child)) {
          delete(child);
        }
      }
    }
  }

  static void delete(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
