package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.machine.Filesystem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system of its own, whose pages of 4 KiB can be counted. */
class DiskUsageTest {
  private static final int PAGE = 4096;

  @TempDir Path folder;
  private Path top;

  @BeforeEach
  void mount() throws IOException {
    Mounts.tmpfs(folder, "size=67108864");
    top = Files.createDirectory(folder.resolve("top"));
  }

  @AfterEach
  void unmount() throws IOException {
    Mounts.unmountBelow(folder);
  }

  @Test
  void countsBlocksAndInodes() throws IOException {
    Files.write(top.resolve("small"), new byte[1]);
    Files.createDirectory(top.resolve("folder"));
    Files.write(top.resolve("folder/large"), new byte[3 * PAGE]);
    assertThat(DiskUsage.of(top)).isEqualTo(new DiskUsage(4 * PAGE, 4));
  }

  @Test
  void aFileOfSeveralNamesCountsOnce() throws IOException {
    Files.write(top.resolve("a"), new byte[PAGE]);
    Files.createLink(top.resolve("b"), top.resolve("a"));
    assertThat(DiskUsage.of(top)).isEqualTo(new DiskUsage(PAGE, 2));
  }

  @Test
  void holesCountForNothing() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(top.resolve("sparse").toFile(), "rw")) {
      file.setLength(1L << 30);
    }
    assertThat(DiskUsage.of(top)).isEqualTo(new DiskUsage(0, 2));
  }

  @Test
  void followsNoLinks() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.write(outside.resolve("large"), new byte[9 * PAGE]);
    Files.createSymbolicLink(top.resolve("link"), outside);
    assertThat(DiskUsage.of(top).inodes()).isEqualTo(2);
    assertThat(DiskUsage.of(top).bytes()).isLessThan(PAGE);
    Path link = Files.createSymbolicLink(folder.resolve("link"), outside);
    assertThatThrownBy(() -> DiskUsage.of(link)).isInstanceOf(IOException.class);
  }

  @Test
  void doesNotCountWhatIsMountedInside() throws IOException {
    Path mounted = Files.createDirectory(top.resolve("mounted"));
    Mounts.tmpfs(mounted, "");
    Files.write(mounted.resolve("large"), new byte[9 * PAGE]);
    assertThat(DiskUsage.of(top)).isEqualTo(new DiskUsage(0, 1));
  }

  @Test
  void whatIsTooDeepToBeCountedTakesAllThatIsUsed() throws IOException {
    byte[] name = Handle.bytes("d");
    Handle at = Handle.directory(top);
    for (int i = 0; i < 1_000; i++) {
      at.makeDirectory(name, 0700);
      Handle next = at.openDirectory(name);
      at.close();
      at = next;
    }
    at.close();
    assertThat(DiskUsage.of(top)).isEqualTo(DiskUsage.of(Filesystem.of(top)));
  }

  @Test
  void whatIsNotThereCannotBeCounted() {
    assertThatThrownBy(() -> DiskUsage.of(folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessage("openat: no such file or directory");
    assertThat(DiskUsage.ofAny(folder.resolve("none"))).isEqualTo(DiskUsage.NONE);
  }
}
