package dev.berth.store.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system of its own, in memory, at a directory. Needs the right to mount. */
final class SmallDisk implements AutoCloseable {

  private final Path mountPoint;

  private SmallDisk(Path mountPoint) {
    this.mountPoint = mountPoint;
  }

  static SmallDisk mount(Path mountPoint, String size) throws IOException {
    Files.createDirectories(mountPoint);
    run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", mountPoint.toString());
    return new SmallDisk(mountPoint);
  }

  void makeReadOnly() throws IOException {
    run("mount", "-o", "remount,ro", mountPoint.toString());
  }

  Path path() {
    return mountPoint;
  }

  /** Takes all space but so many bytes. */
  Path fillUpTo(long left) throws IOException {
    Path filler = mountPoint.resolve("filler");
    long free = Files.getFileStore(mountPoint).getUsableSpace();
    Files.write(filler, new byte[(int) Math.max(0, free - left)]);
    return filler;
  }

  @Override
  public void close() throws IOException {
    run("umount", mountPoint.toString());
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError(
          "This test mounts a small disk and so needs root (or run it under `unshare -rm`): "
              + said);
    }
  }
}
