package dev.berth.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the real file system. */
class FilesystemTest {
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
}
