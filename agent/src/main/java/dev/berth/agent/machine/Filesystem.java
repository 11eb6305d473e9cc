package dev.berth.agent.machine;

import dev.berth.agent.nativecalls.Kernel;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system, as {@code statfs} describes it. Java itself knows the bytes, but not the inodes.
 *
 * @param device by which file systems are told apart
 * @param availableBytes what is left for whoever is not root
 * @param inodes 0 for a file system that makes them as it needs them
 */
public record Filesystem(
    long device,
    long capacityBytes,
    long availableBytes,
    long usedBytes,
    long inodes,
    long inodesFree) {

  /** The fields of {@code struct statfs} on 64-bit Linux, as offsets of longs. */
  private static final long BLOCKS = 16;

  private static final long BLOCKS_FREE = 24;
  private static final long BLOCKS_AVAILABLE = 32;
  private static final long FILES = 40;
  private static final long FILES_FREE = 48;
  private static final long FRAGMENT_SIZE = 72;
  private static final long STRUCT_BYTES = 120;

  /**
   * The file system that a file or directory is on.
   *
   * @throws IOException if there is no such file
   */
  public static Filesystem of(Path path) throws IOException {
    long device = ((Number) Files.getAttribute(path, "unix:dev")).longValue();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment struct = arena.allocate(STRUCT_BYTES, Long.BYTES);
      long name = Kernel.text(arena, path.toString().getBytes(StandardCharsets.UTF_8));
      Kernel.call(Syscall.STATFS, name, struct.address());
      long block = field(struct, FRAGMENT_SIZE);
      long blocks = field(struct, BLOCKS);
      return new Filesystem(
          device,
          blocks * block,
          field(struct, BLOCKS_AVAILABLE) * block,
          (blocks - field(struct, BLOCKS_FREE)) * block,
          field(struct, FILES),
          field(struct, FILES_FREE));
    } catch (NativeFailure e) {
      throw e.about(path.toString());
    }
  }

  public long inodesUsed() {
    return inodes - inodesFree;
  }

  private static long field(MemorySegment struct, long offset) {
    return struct.get(ValueLayout.JAVA_LONG, offset);
  }
}
