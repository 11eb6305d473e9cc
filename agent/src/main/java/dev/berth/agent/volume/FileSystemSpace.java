package dev.berth.agent.volume;

/**
 * How full a file system is.
 *
 * @param freeBytes what root could still use
 * @param availableBytes what all others could
 */
public record FileSystemSpace(
    long capacityBytes, long freeBytes, long availableBytes, long inodes, long inodesFree) {

  public long usedBytes() {
    return capacityBytes - freeBytes;
  }

  public long inodesUsed() {
    return inodes - inodesFree;
  }
}
