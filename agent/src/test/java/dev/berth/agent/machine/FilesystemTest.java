package dev.berth.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the real file system. */
class FilesystemTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir Path folder;

  @Test
  void aFilesystemHasTheBytesThatJavaKnowsOf() throws IOException {
    Filesystem filesystem = Filesystem.of(folder);
    assertThat(filesystem.capacityBytes()).isEqualTo(Files.getFileStore(folder).getTotalSpace());
    assertThat(filesystem.inodes()).isGreaterThanOrEqualTo(filesystem.inodesFree());
    assertThat(filesystem.usedBytes()).isPositive();
  }

  @Test
  void thereIsNoneOfAFileThatIsNotThere() {
    assertThatThrownBy(() -> Filesystem.of(folder.resolve("none"))).isInstanceOf(IOException.class);
  }

  @Test
  void aDirectoryTakesWhatIsAllocatedForIt() throws IOException {
    DirectoryUsage empty = DirectoryUsage.of(folder);
    Path file = folder.resolve("file");
    Files.write(file, new byte[MEBIBYTE]);
    Files.createLink(folder.resolve("same"), file);
    Files.createSymbolicLink(folder.resolve("out"), Path.of("/usr"));
    try (RandomAccessFile hole = new RandomAccessFile(folder.resolve("hole").toFile(), "rw")) {
      hole.setLength(64L * MEBIBYTE);
    }
    DirectoryUsage usage = DirectoryUsage.of(folder);
    assertThat(usage.inodes()).isEqualTo(empty.inodes() + 3);
    assertThat(usage.bytes()).isBetween((long) MEBIBYTE, 2L * MEBIBYTE);
  }

  @Test
  void whatIsNotThereTakesNothing() {
    assertThat(DirectoryUsage.of(folder.resolve("none"))).isEqualTo(DirectoryUsage.NONE);
  }
}
