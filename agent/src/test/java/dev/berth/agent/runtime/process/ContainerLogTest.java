package dev.berth.agent.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.LogRotation;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container's log on a file system that is full. */
class ContainerLogTest {
  private final WallTime time = new WallTime(_ -> {});
  @TempDir Path folder;

  /** There is room for its root and one file. */
  @BeforeEach
  void mount() throws IOException {
    Tool.run("mount", "-t", "tmpfs", "-o", "nr_inodes=2,size=1m", "none", folder.toString());
  }

  @AfterEach
  void unmount() throws IOException {
    Tool.run("umount", folder.toString());
    time.close();
  }

  private static void write(ContainerLog log, String line) throws IOException {
    byte[] bytes = line.getBytes(UTF_8);
    log.write("stdout", bytes, bytes.length);
  }

  @Test
  void goesOnWhileTheNextFileCannotBeMadeAndIsRotatedOnceItCan() throws IOException {
    Path file = folder.resolve("0.log");
    try (ContainerLog log = new ContainerLog(file, new LogRotation(10, 5), time)) {
      write(log, "first\n");
      assertThatThrownBy(log::rotateIfFull).isInstanceOf(IOException.class);
      assertThatThrownBy(log::rotateIfFull).isInstanceOf(IOException.class);
      write(log, "second\n");
      assertThat(LogRotation.rotated(file))
          .singleElement()
          .satisfies(old ->
              assertThat(Files.readString(old)).contains("F first\n").contains("F second\n"));

      Tool.run("mount", "-o", "remount,nr_inodes=10", folder.toString());
      log.rotateIfFull();
      write(log, "third\n");
      assertThat(Files.readString(file)).contains("F third\n").doesNotContain("second");
      assertThat(LogRotation.rotated(file)).hasSize(1);
    }
  }
}
