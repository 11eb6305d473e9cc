package dev.berth.agent.machine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a directory and everything below it take of their file system, as {@code du} counts it: the
 * blocks that are allocated, so that holes cost nothing, and files with several names once. Other
 * file systems that are mounted below do not count.
 */
public record DirectoryUsage(long bytes, long inodes) {
  public static final DirectoryUsage NONE = new DirectoryUsage(0, 0);

  private static final long BLOCK = 512;

  /** {@code struct statx}, and what to ask for. */
  private static final int CURRENT_DIRECTORY = -100;

  private static final int DO_NOT_FOLLOW = 0x100;
  private static final int BASIC_STATS = 0x7ff;
  private static final long STRUCT_BYTES = 256;
  private static final long LINKS = 16;
  private static final long INODE = 32;
  private static final long BLOCKS = 48;
  private static final long DEVICE_MAJOR = 136;
  private static final long DEVICE_MINOR = 140;

  @SuppressWarnings("restricted") // native access is enabled where Berth is started
  private static final class Native {
    static final MethodHandle STATX =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().find("statx").orElseThrow(),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS));

    private Native() {}
  }

  public DirectoryUsage plus(DirectoryUsage other) {
    return new DirectoryUsage(bytes + other.bytes, inodes + other.inodes);
  }

  /** Counts a directory or a file; nothing if there is none. What goes meanwhile does not count. */
  public static DirectoryUsage of(Path directory) {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return NONE;
    }
    try (Arena arena = Arena.ofConfined()) {
      Counter counter = new Counter(arena.allocate(STRUCT_BYTES, Long.BYTES));
      Files.walkFileTree(directory, counter);
      return new DirectoryUsage(counter.bytes, counter.inodes);
    } catch (IOException e) {
      return NONE;
    }
  }

  private static final class Counter extends SimpleFileVisitor<Path> {
    private final MemorySegment struct;
    private final Set<Long> severalNames = new HashSet<>();
    private long device = -1;
    private long bytes;
    private long inodes;

    Counter(MemorySegment struct) {
      this.struct = struct;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return count(directory, true) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      count(file, false);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException why) {
      return FileVisitResult.CONTINUE;
    }

    /** False if it is gone or on another file system. */
    private boolean count(Path path, boolean isDirectory) {
      try (Arena name = Arena.ofConfined()) {
        int failed =
            (int)
                Native.STATX.invokeExact(
                    CURRENT_DIRECTORY,
                    name.allocateFrom(path.toString()),
                    DO_NOT_FOLLOW,
                    BASIC_STATS,
                    struct);
        if (failed != 0) {
          return false;
        }
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("statx is declared wrongly", e);
      }
      long found =
          (long) struct.get(ValueLayout.JAVA_INT, DEVICE_MAJOR) << Integer.SIZE
              | Integer.toUnsignedLong(struct.get(ValueLayout.JAVA_INT, DEVICE_MINOR));
      if (device == -1) {
        device = found;
      } else if (found != device) {
        return false;
      }
      boolean hasSeveralNames = !isDirectory && struct.get(ValueLayout.JAVA_INT, LINKS) > 1;
      if (!hasSeveralNames || severalNames.add(struct.get(ValueLayout.JAVA_LONG, INODE))) {
        bytes += struct.get(ValueLayout.JAVA_LONG, BLOCKS) * BLOCK;
        inodes++;
      }
      return true;
    }
  }
}
