package dev.berth.agent.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Resolves paths in a directory as if that were {@code /}: links and {@code ..} in them never lead
 * out. Good for directories that nobody changes meanwhile.
 */
public final class PathInRoot {
  private static final int MAX_LINKS = 40;

  private PathInRoot() {}

  /** Where a path leads, links at its end included. It need not exist. */
  public static Path resolve(Path root, String path) {
    Deque<String> names = new ArrayDeque<>(Arrays.asList(path.split("/", -1)));
    Path at = root;
    int links = 0;
    while (!names.isEmpty()) {
      String name = names.removeFirst();
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (name.equals("..")) {
        Path above = at.getParent();
        at = at.equals(root) || above == null ? root : above;
        continue;
      }
      Path next = at.resolve(name);
      if (!Files.isSymbolicLink(next)) {
        at = next;
        continue;
      }
      if (++links > MAX_LINKS) {
        return root.resolve(".too-many-links");
      }
      String target = link(next);
      if (target.startsWith("/")) {
        at = root;
      }
      String[] parts = target.split("/", -1);
      for (int i = parts.length - 1; i >= 0; i--) {
        names.addFirst(parts[i]);
      }
    }
    return at;
  }

  private static String link(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
