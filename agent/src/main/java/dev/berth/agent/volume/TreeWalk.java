package dev.berth.agent.volume;

import dev.berth.agent.nativecalls.NativeFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Visits a directory and all that is in it, what is in a directory before the directory itself. It
 * follows no links, does not enter what is mounted inside, and cannot be led out of the directory
 * by somebody who moves things about meanwhile. What vanishes meanwhile is left out.
 *
 * <p>It holds one open directory per level and a few names of each, however large the tree is.
 */
final class TreeWalk {
  /** More than anybody needs; each level costs an open file. */
  private static final int DEEPEST = 1_000;

  private TreeWalk() {}

  /** Is shown each file and each directory. */
  interface Visitor {
    /**
     * Something that is no directory.
     *
     * @param parent the directory that it is in
     */
    void visitFile(Handle parent, byte[] name, FileStat stat) throws IOException;

    /** A directory, after all that is in it. */
    void visitDirectory(Handle directory, FileStat stat) throws IOException;
  }

  /** Directories are nested so deeply that not all of them can be visited. */
  static final class TooDeepException extends IOException {
    private static final long serialVersionUID = 1;

    TooDeepException(Path top) {
      super("directories in %s are nested more than %d deep".formatted(top, DEEPEST));
    }
  }

  /** An open directory, and names in it that are to come. */
  private static final class Level {
    private final Handle directory;
    private final FileStat stat;
    private Iterator<byte[]> names = List.<byte[]>of().iterator();

    Level(Handle directory, FileStat stat) {
      this.directory = directory;
      this.stat = stat;
    }

    boolean hasNext() throws IOException {
      if (!names.hasNext()) {
        names = directory.nextNames().iterator();
      }
      return names.hasNext();
    }
  }

  static void visit(Path top, Visitor visitor) throws IOException {
    Deque<Level> levels = new ArrayDeque<>();
    try {
      Handle root = Handle.directory(top);
      levels.push(new Level(root, root.stat()));
      while (!levels.isEmpty()) {
        Level level = levels.element();
        if (level.hasNext()) {
          visit(levels, level.names.next(), visitor, top);
          continue;
        }
        levels.pop();
        try (Handle done = level.directory) {
          visitor.visitDirectory(done, level.stat);
        }
      }
    } finally {
      for (Level open : levels) {
        open.directory.close();
      }
    }
  }

  private static void visit(Deque<Level> levels, byte[] name, Visitor visitor, Path top)
      throws IOException {
    Handle parent = levels.element().directory;
    try {
      FileStat stat = parent.stat(name);
      if (!stat.isDirectory()) {
        visitor.visitFile(parent, name, stat);
      } else if (!stat.isMountRoot()) {
        if (levels.size() == DEEPEST) {
          throw new TooDeepException(top);
        }
        levels.push(new Level(parent.openDirectory(name), stat));
      }
    } catch (NativeFailure e) {
      if (!isGone(e)) {
        throw e;
      }
    }
  }

  /** Whether it is no longer there, or no longer what it was. */
  private static boolean isGone(NativeFailure e) {
    return e.is(NativeFailure.ENOENT) || e.is(NativeFailure.ENOTDIR) || e.is(NativeFailure.ELOOP);
  }
}
