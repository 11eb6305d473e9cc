package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.LogRotation;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine must be for containers to run on it as processes. */
class StateLockTest {
  @TempDir Path folder;

  private void check(String users) throws IOException {
    Path self = Files.createDirectories(folder.resolve("proc/self"));
    Files.writeString(self.resolve("uid_map"), users);
    try (WallTime time = new WallTime(_ -> {})) {
      StateLock.checkMachine(
          new ProcessSettings(
              folder.resolve("state"),
              List::of,
              Path.of("/sys"),
              folder.resolve("proc"),
              "test",
              "test",
              1024,
              folder.resolve("logs"),
              LogRotation.DEFAULT,
              time));
    }
  }

  /** It may make no mounts, networks and limits of the machine, though its number is 0. */
  @Test
  void rootOfAUserNamespaceIsNotEnough() {
    assertThatThrownBy(() -> check("         0       1000          1\n"))
        .hasMessageStartingWith(
            "the process runtime needs root of the machine, not of a user namespace: ");
  }

  @Test
  void rootOfTheMachineIs() {
    assertThatCode(() -> check("         0          0 4294967295\n")).doesNotThrowAnyException();
  }
}
