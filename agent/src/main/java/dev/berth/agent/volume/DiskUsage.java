package dev.berth.agent.volume;

import dev.berth.agent.machine.Filesystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * What a directory and all that is in it take of their file system. Links are not followed, and
 * what is mounted inside is not counted.
 *
 * @param bytes of blocks that are in use, so that a file with holes counts for what it has
 */
public record DiskUsage(long bytes, long inodes) {
  public static final DiskUsage NONE = new DiskUsage(0, 0);

  private static final int BLOCK = 512;

  /** Files of several names are counted once, up to so many; then they count for each name. */
  private static final int REMEMBERED = 100_000;

  public DiskUsage plus(DiskUsage other) {
    return new DiskUsage(bytes + other.bytes, inodes + other.inodes);
  }

  /**
   * Counts. This reads all directories, so it takes its time where there are many files. A
   * directory that a pod has nested so deeply that nobody can count it takes all that is used of
   * its file system, so that no limit is escaped by that.
   *
   * @throws IOException if there is no such directory, or a part of it cannot be read
   */
  public static DiskUsage of(Path directory) throws IOException {
    Count count = new Count();
    try {
      TreeWalk.visit(directory, count);
    } catch (TreeWalk.TooDeepException e) {
      return of(Filesystem.of(directory));
    }
    return new DiskUsage(count.blocks * BLOCK, count.inodes);
  }

  /** Counts a directory that may be gone, and takes nothing then. */
  public static DiskUsage ofAny(Path directory) {
    try {
      return of(directory);
    } catch (IOException e) {
      return NONE;
    }
  }

  /** All that is used of a file system. */
  static DiskUsage of(Filesystem filesystem) {
    return new DiskUsage(filesystem.usedBytes(), filesystem.inodesUsed());
  }

  private static final class Count implements TreeWalk.Visitor {
    private final Set<Long> seen = new HashSet<>();
    private long blocks;
    private long inodes;

    @Override
    public void visitFile(Handle parent, byte[] name, FileStat stat) {
      if (stat.links() > 1) {
        if (seen.contains(stat.inode())) {
          return;
        }
        if (seen.size() < REMEMBERED) {
          seen.add(stat.inode());
        }
      }
      add(stat);
    }

    @Override
    public void visitDirectory(Handle directory, FileStat stat) {
      add(stat);
    }

    private void add(FileStat stat) {
      blocks += stat.blocks();
      inodes++;
    }
  }
}
