package dev.berth.agent.volume;

/**
 * What is known of a file.
 *
 * @param mode its type and permissions
 * @param blocks of 512 bytes
 * @param isMountRoot whether something is mounted here
 */
record FileStat(
    int mode,
    long user,
    long group,
    long inode,
    long blocks,
    long links,
    long device,
    boolean isMountRoot) {
  static final long MOUNT_ROOT = 0x2000;

  static final int SET_GID = 02000;
  static final int PERMISSIONS = 07777;

  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;
  private static final int LINK = 0120000;
  private static final int REGULAR = 0100000;
  private static final int BLOCK = 0060000;
  private static final int DIRECTORY = 0040000;
  private static final int CHARACTER = 0020000;

  boolean isDirectory() {
    return is(DIRECTORY);
  }

  boolean isLink() {
    return is(LINK);
  }

  boolean isRegular() {
    return is(REGULAR);
  }

  boolean isSocket() {
    return is(SOCKET);
  }

  boolean isBlockDevice() {
    return is(BLOCK);
  }

  boolean isCharacterDevice() {
    return is(CHARACTER);
  }

  private boolean is(int type) {
    return (mode & TYPE) == type;
  }

  int permissions() {
    return mode & PERMISSIONS;
  }

  boolean isSameFile(FileStat other) {
    return inode == other.inode && device == other.device;
  }
}
