package dev.berth.agent.volume;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files of a volume so that a reader sees all of one generation or all of the next. On
 * disk it looks as kubelets make it, since programs watch for it:
 *
 * <pre>
 *   key       -> ..data/key
 *   folder    -> ..data/folder
 *   ..data    -> ..2026_11_17_08_00_00.123456789
 *   ..2026_11_17_08_00_00.123456789/key
 *   ..2026_11_17_08_00_00.123456789/folder/other
 * </pre>
 *
 * <p>A new generation is a directory of its own, complete with permissions before {@code ..data} is
 * replaced by a rename, which is what makes it visible. Links to what is new are made after that,
 * and links to what is gone removed; then the generation before is. Whatever a writer that was
 * killed left behind is removed by the next. One writer at a time.
 */
final class AtomicWriter {
  private static final String DATA = "..data";
  private static final String NEW_DATA = "..data_tmp";
  private static final String HIDDEN = "..";
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_PATH = 4096;
  private static final DateTimeFormatter GENERATION =
      DateTimeFormatter.ofPattern("'..'uuuu_MM_dd_HH_mm_ss.nnnnnnnnn").withZone(ZoneOffset.UTC);

  private final Path target;

  /** Changes the owners of a volume before a generation becomes visible. */
  interface Owners {
    void apply(Path volume) throws IOException;
  }

  /**
   * @param target a directory that is there
   */
  AtomicWriter(Path target) {
    this.target = target;
  }

  /**
   * Makes the volume hold these files, by their paths, and no others.
   *
   * @return whether anything had to be changed
   * @throws IOException also if a path is not one within the volume
   */
  boolean write(Map<String, ProjectedFile> files, Instant now, Owners owners) throws IOException {
    SortedMap<String, ProjectedFile> wanted = new TreeMap<>();
    for (Map.Entry<String, ProjectedFile> file : files.entrySet()) {
      wanted.put(clean(file.getKey()), file.getValue());
    }
    Path current = current();
    if (current != null && holds(current, wanted)) {
      link(wanted);
      removeOthers(wanted, current);
      return false;
    }
    Path next = newGeneration(now);
    fill(next, wanted);
    owners.apply(target);
    publish(next);
    link(wanted);
    removeOthers(wanted, next);
    return true;
  }

  private static String clean(String path) throws IOException {
    if (path.isEmpty()) {
      throw new IOException("invalid path: must not be empty: \"\"");
    }
    if (path.startsWith("/")) {
      throw new IOException("invalid path: must be relative path: " + path);
    }
    if (path.length() > LONGEST_PATH) {
      throw new IOException(
          "invalid path: must be less than or equal to " + LONGEST_PATH + " characters");
    }
    for (String part : path.split("/", -1)) {
      if (part.equals("..")) {
        throw new IOException("invalid path: must not contain '..': " + path);
      }
      if (Handle.bytes(part).length > LONGEST_NAME) {
        throw new IOException(
            "invalid path: filenames must be less than or equal to "
                + LONGEST_NAME
                + " characters");
      }
    }
    if (path.startsWith(HIDDEN)) {
      throw new IOException("invalid path: must not start with '..': " + path);
    }
    String cleaned = Path.of(path).normalize().toString();
    if (cleaned.isEmpty()) {
      throw new IOException("invalid path: must not be empty: \"" + path + "\"");
    }
    return cleaned;
  }

  /** The directory of the generation that is visible; null if there is none. */
  private @Nullable Path current() throws IOException {
    try {
      Path generation = target.resolve(Files.readSymbolicLink(target.resolve(DATA)));
      return Files.isDirectory(generation, LinkOption.NOFOLLOW_LINKS) ? generation : null;
    } catch (NoSuchFileException none) {
      return null;
    }
  }

  private static boolean holds(Path generation, SortedMap<String, ProjectedFile> wanted)
      throws IOException {
    for (Map.Entry<String, ProjectedFile> file : wanted.entrySet()) {
      Path path = generation.resolve(file.getKey());
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
          || !file.getValue().hasContent(Files.readAllBytes(path))) {
        return false;
      }
    }
    try (var all = Files.walk(generation)) {
      return all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)).count()
          == wanted.size();
    }
  }

  private Path newGeneration(Instant now) throws IOException {
    for (Instant at = now; ; at = at.plusNanos(1)) {
      Path generation = target.resolve(GENERATION.format(at));
      try {
        Files.createDirectory(generation);
        setMode(generation, 0755);
        return generation;
      } catch (FileAlreadyExistsException taken) {
        // Two generations at one instant, where a clock was set back: another name will do.
      }
    }
  }

  private static void fill(Path generation, SortedMap<String, ProjectedFile> files)
      throws IOException {
    for (Map.Entry<String, ProjectedFile> file : files.entrySet()) {
      Path path = generation.resolve(file.getKey());
      makeParents(generation, path);
      Files.write(path, file.getValue().content());
      if (file.getValue().owner().isPresent()) {
        Files.setAttribute(path, "unix:uid", (int) file.getValue().owner().getAsLong());
      }
      setMode(path, file.getValue().mode());
    }
  }

  private static void makeParents(Path generation, Path file) throws IOException {
    Path directory = generation;
    Path below = generation.relativize(file);
    for (int i = 0; i < below.getNameCount() - 1; i++) {
      directory = directory.resolve(below.getName(i));
      if (!PodDirectory.exists(directory)) {
        Files.createDirectory(directory);
        setMode(directory, 0755);
      }
    }
  }

  /** Whatever the umask is. */
  private static void setMode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  private void publish(Path generation) throws IOException {
    Path newData = target.resolve(NEW_DATA);
    Files.deleteIfExists(newData);
    Files.createSymbolicLink(newData, generation.getFileName());
    Files.move(newData, target.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
  }

  private static Set<String> tops(SortedMap<String, ProjectedFile> files) {
    Set<String> tops = new TreeSet<>();
    for (String path : files.keySet()) {
      tops.add(path.split("/", 2)[0]);
    }
    return tops;
  }

  private void link(SortedMap<String, ProjectedFile> files) throws IOException {
    for (String top : tops(files)) {
      Path link = target.resolve(top);
      if (!PodDirectory.exists(link)) {
        Files.createSymbolicLink(link, Path.of(DATA, top));
      }
    }
  }

  /** Removes links to what is gone, and all generations but one. */
  private void removeOthers(SortedMap<String, ProjectedFile> files, Path current)
      throws IOException {
    Set<String> kept = new HashSet<>(tops(files));
    kept.add(DATA);
    kept.add(String.valueOf(current.getFileName()));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(target)) {
      for (Path path : all) {
        String name = String.valueOf(path.getFileName());
        if (kept.contains(name)) {
          continue;
        }
        if (Files.isSymbolicLink(path)) {
          Files.delete(path);
        } else if (name.startsWith(HIDDEN)) {
          TreeRemoval.remove(path);
        }
      }
    }
  }
}
