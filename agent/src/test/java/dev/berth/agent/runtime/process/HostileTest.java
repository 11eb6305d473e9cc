package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.volume.DiskUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers that mean harm: their neighbours and the machine stay well. */
class HostileTest {
  private LiveRuntime live;
  private TestPod pod;
  private ContainerStatus neighbour;

  @BeforeEach
  void start() throws Exception {
    live = new LiveRuntime();
    pod = live.pod("evil");
    neighbour = live.runtime().start(TestContainer.patient().spec(live.pod("neighbour")));
    live.awaitLine(neighbour, "up");
  }

  @AfterEach
  void end() throws Exception {
    assertThat(live.status(neighbour.id()).isRunning()).isTrue();
    live.close();
  }

  @Test
  void aForkBombMeetsTheLimitOfItsPodAndIsKilled() throws Exception {
    ContainerStatus bomb =
        live.runtime()
            .start(
                TestContainer.running(
                        "bash",
                        "-c",
                        "echo up; bomb() { bomb | bomb & bomb; }; trap '' TERM; while :; do bomb"
                            + " 2>/dev/null; done")
                    .spec(pod));
    Path count =
        Path.of("/sys/fs/cgroup/pids", live.settings.cgroupParent(), "besteffort/poduid-evil");
    assertThat(
            Await.until(
                live.time,
                Duration.ofMinutes(2),
                () -> {
                  try {
                    return Long.parseLong(Files.readString(count.resolve("pids.current")).strip())
                        > live.settings.podPids() - 10;
                  } catch (IOException e) {
                    return false;
                  }
                }))
        .isTrue();
    assertThat(Long.parseLong(Files.readString(count.resolve("pids.current")).strip()))
        .isLessThanOrEqualTo(live.settings.podPids());
    live.runtime().kill(bomb.id());
    assertThat(live.awaitExit(bomb).code()).isEqualTo(137);
  }

  @Test
  void aFloodOfOutputIsSlowedDownAndTakesNoMoreThanItsShareOfTheDisk() throws Exception {
    ContainerStatus flood = live.runtime().start(TestContainer.running("yes", "flood").spec(pod));
    live.awaitLine(flood, "flood");
    assertThat(
            live.output(
                TestPod.named("neighbour"), TestContainer.script("echo fine").named("second")))
        .isEqualTo("fine\n");
    live.runtime().kill(flood.id());
    assertThat(live.awaitExit(flood).code()).isEqualTo(137);
    assertThat(DiskUsage.of(Path.of(flood.logFile()).resolveSibling("")).bytes())
        .isLessThan(6 * LogRotation.DEFAULT.maxBytes());
  }

  @Test
  void aDeepTreeOfDirectoriesIsRemovedWithItsContainer() throws Exception {
    ContainerStatus deep =
        live.runtime()
            .start(
                TestContainer.running(
                        "perl",
                        "-e",
                        "chdir '/tmp'; for (1..1500) { mkdir 'deep-deep-deep'; chdir"
                            + " 'deep-deep-deep' or die }")
                    .spec(pod));
    assertThat(live.awaitExit(deep).code()).isZero();
    live.runtime().removeContainer(deep.id());
    assertThat(live.root.resolve("pods/uid-evil/sandbox/containers/main_0")).doesNotExist();
  }

  @Test
  void linksInItsRootLeadNowhere() throws Exception {
    assertThat(
            live.output(
                pod,
                TestContainer.script(
                    "ln -s %s/runtime.lock /tmp/l; cat /tmp/l 2>&1; ls /proc/1/root/work 2>&1; cat /proc/1/environ | tr '\\0' '\\n' | grep -c BERTH"
                        .formatted(live.root))))
        .contains("No such file or directory")
        .endsWith("0\n");
  }

  @Test
  void aMemoryHogInTheSharedMemoryIsLimitedToo() throws Exception {
    ContainerStatus hog =
        live.runtime()
            .start(
                TestContainer.script("head -c 60000000 /dev/zero >/dev/shm/x; sleep 1000")
                    .memory(16 << 20)
                    .spec(pod));
    assertThat(live.awaitExit(hog).outOfMemory()).isTrue();
  }
}
