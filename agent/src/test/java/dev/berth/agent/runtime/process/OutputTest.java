package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.LogRotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What containers write, and where it goes. */
class OutputTest {

  @Test
  void bothStreamsAreLoggedLineByLineWithTheirTimes() throws Exception {
    try (LiveRuntime live = new LiveRuntime()) {
      TestPod pod = live.pod("web");
      ContainerStatus container =
          live.runtime()
              .start(TestContainer.script("echo one; echo two >&2; printf 'no end'").spec(pod));
      live.awaitExit(container);
      List<String> records = Files.readAllLines(Path.of(container.logFile()));
      assertThat(records)
          .allMatch(record ->
              record.matches(
                  "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z (stdout|stderr) [FP] .*"));
      assertThat(records)
          .extracting(record -> record.substring(31))
          .containsExactlyInAnyOrder("stdout F one", "stderr F two", "stdout P no end");
    }
  }

  @Test
  void aFloodIsCutIntoFilesOfWhichTheLastFewAreKept() throws Exception {
    try (LiveRuntime live = new LiveRuntime(new LogRotation(1 << 20, 3))) {
      TestPod pod = live.pod("flood");
      ContainerStatus container =
          live.runtime()
              .start(
                  TestContainer.script(
                          "yes 0123456789012345678901234567890123456789 | head -200000; echo last")
                      .spec(pod));
      live.awaitExit(container);
      Path log = Path.of(container.logFile());
      assertThat(LogRotation.rotated(log)).hasSize(2);
      assertThat(LogRotation.rotated(log)).allMatch(file -> file.toFile().length() < 2 << 20);
      String newest =
          Files.size(log) > 0
              ? Files.readString(log)
              : Files.readString(LogRotation.rotated(log).getLast());
      assertThat(newest).endsWith("stdout F last\n");
    }
  }

  @Test
  void eachAttemptHasALogOfItsOwn() throws Exception {
    try (LiveRuntime live = new LiveRuntime()) {
      TestPod pod = live.pod("web");
      assertThat(live.output(pod, TestContainer.script("echo first"))).isEqualTo("first\n");
      assertThat(live.output(pod, TestContainer.script("echo second").attempt(1)))
          .isEqualTo("second\n");
      assertThat(live.sandbox(pod).containers())
          .extracting(each -> LiveRuntime.log(each))
          .containsExactly("first\n", "second\n");
    }
  }
}
