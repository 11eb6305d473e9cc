package dev.berth.cli.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.arguments.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that runs out of memory leaves a dump where it was told to. */
class HeapDumpOptionTest {
  @TempDir private Path folder = Path.of("");

  /** Takes all memory, in a process of its own. */
  static final class Hungry {
    private static Object[] eaten = {};

    public static void main(String[] arguments) {
      HeapDumpOption.dumpTo(Path.of(arguments[0]));
      while (true) {
        eaten = new Object[] {eaten, new byte[1 << 20]};
      }
    }
  }

  @Test
  void aDumpIsLeftWhenMemoryRunsOut() throws Exception {
    Path dumps = folder.resolve("dumps");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Hungry.class.getName(),
                dumps.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(said).contains("OutOfMemoryError");
    assertThat(dumps.resolve("java_pid" + process.pid() + ".hprof")).isNotEmptyFile();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> HeapDumpOption.dumpTo(file.resolve("below")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--heap-dump-on-oom: cannot write to the directory");
  }
}
