package dev.berth.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  private static final String EARLIER = "2026-11-18T18:00:00.000Z ERROR apiserver  an earlier one";
  private static final String WARNING =
      "2026-11-18T18:04:01.257Z WARN  apiserver  this machine is no node reason=\"no root\"";
  private static final String JSON_WARNING =
      "{\"time\":\"2026-11-18T18:04:01.257Z\",\"level\":\"warn\",\"message\":\"no node\"}";
  private static final String NEWS =
      "2026-11-18T18:04:01.519Z INFO  scheduler  says WARN and ERROR in passing";

  /** Whoever waits for a server sees what it warned of, and nothing that earlier ones did. */
  @Test
  void tellsWhatThisServerHasWarnedOf(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("berth.log");
    Files.writeString(file, EARLIER + "\n");
    LogFile log = LogFile.open(file);
    Files.writeString(
        file, String.join("\n", WARNING, NEWS, JSON_WARNING, ""), StandardOpenOption.APPEND);

    assertThat(log.warnings()).containsExactly(WARNING, JSON_WARNING);
  }
}
