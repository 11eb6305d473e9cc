package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ContainerStatus.Exit;
import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How containers end, by themselves and by others, and what is left of them. */
class LifecycleTest {
  private LiveRuntime live;
  private TestPod pod;

  @BeforeEach
  void start() throws Exception {
    live = new LiveRuntime();
    pod = live.pod("web");
  }

  @AfterEach
  void end() throws Exception {
    live.close();
  }

  private ContainerStatus started(TestContainer container) throws RuntimeFailure {
    return live.runtime().start(container.spec(pod));
  }

  @Test
  void anExitCodeIsReportedAsItIs() throws Exception {
    Exit exit = live.awaitExit(started(TestContainer.script("exit 42")));
    assertThat(exit.code()).isEqualTo(42);
    assertThat(exit.signal()).isZero();
    assertThat(exit.outOfMemory()).isFalse();
  }

  @Test
  void aSignalIsReportedWithItsNumber() throws Exception {
    ContainerStatus container = started(TestContainer.script("echo up; sleep 1000; true"));
    live.runtime().signal(container.id(), "SIGKILL");
    assertThat(live.awaitExit(container).code()).isEqualTo(137);
    assertThat(live.awaitExit(container).signal()).isEqualTo(9);
  }

  @Test
  void oneThatIsAskedToEndMayEndInItsOwnWay() throws Exception {
    ContainerStatus container =
        started(
            TestContainer.script("trap 'exit 3' TERM; echo up; while :; do sleep 60 & wait; done"));
    live.awaitLine(container, "up");
    live.runtime().signal(container.id(), "");
    assertThat(live.awaitExit(container).code()).isEqualTo(3);
  }

  @Test
  void oneThatIgnoresThatIsKilledWithAllThatItStarted() throws Exception {
    ContainerStatus container =
        started(
            TestContainer.script(
                "trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 4321' & echo up; while :; do"
                    + " sleep 4321; done"));
    live.awaitLine(container, "up");
    live.runtime().signal(container.id(), "TERM");
    assertThat(live.status(container.id()).isRunning()).isTrue();
    live.runtime().kill(container.id());
    assertThat(live.awaitExit(container).code()).isEqualTo(137);
    assertNothingRuns();
  }

  @Test
  void whatLeavesItsParentsEndsWithTheFirstProcess() throws Exception {
    ContainerStatus container =
        started(TestContainer.script("(setsid sleep 4321 &); (sleep 4321 &) ; exit 5"));
    assertThat(live.awaitExit(container).code()).isEqualTo(5);
    assertNothingRuns();
  }

  private void assertNothingRuns() {
    assertThat(
            Await.until(
                live.time,
                Duration.ofMinutes(2),
                () -> {
                  try {
                    return Cgroups.of(Path.of("/sys"))
                        .processes(live.settings.cgroupParent())
                        .isEmpty();
                  } catch (IOException e) {
                    return false;
                  }
                }))
        .isTrue();
  }

  @Test
  void oneThatNeedsTooMuchMemoryIsKilledAndSaysSo() throws Exception {
    ContainerStatus container =
        started(TestContainer.running("tail", "/dev/zero").memory(32 << 20));
    Exit exit = live.awaitExit(container);
    assertThat(exit.code()).isEqualTo(137);
    assertThat(exit.outOfMemory()).isTrue();
  }

  @Test
  void limitsChangeWhileItRuns() throws Exception {
    ContainerStatus container = started(TestContainer.patient().memory(64 << 20));
    live.awaitLine(container, "up");
    Path limit =
        Path.of("/sys/fs/cgroup/memory", live.settings.cgroupParent())
            .resolve("besteffort/poduid-web/main_0/memory.limit_in_bytes");
    assertThat(limit).content().isEqualTo((64 << 20) + "\n");
    for (long bytes : new long[] {128 << 20, 48 << 20}) {
      live.runtime()
          .resize(
              container.id(),
              new Limits(
                  512,
                  Optional.of(CpuQuota.ofMillis(500, CpuQuota.USUAL_PERIOD)),
                  OptionalLong.of(bytes),
                  OptionalLong.of(0),
                  OptionalLong.of(50),
                  1000,
                  "0",
                  "0",
                  false));
      assertThat(limit).content().isEqualTo(bytes + "\n");
    }
  }

  @Test
  void usageIsMeasured() throws Exception {
    ContainerStatus container =
        started(
            TestContainer.script("head -c 100000 /dev/zero >/data; echo up; while :; do :; done"));
    live.awaitLine(container, "up");
    assertThat(live.runtime().usage())
        .singleElement()
        .satisfies(usage -> {
          assertThat(usage.pod()).isEqualTo(pod.id());
          assertThat(usage.total().cpuNanos()).isPositive();
          assertThat(usage.total().memoryBytes()).isPositive();
          assertThat(usage.containers().getFirst().usage().processes()).isGreaterThanOrEqualTo(2);
          assertThat(usage.containers().getFirst().root().bytes()).isGreaterThanOrEqualTo(100_000);
          assertThat(usage.containers().getFirst().logs().bytes()).isPositive();
        });
  }

  @Test
  void aContainerIsRemovedWithItsLogOnceItHasEnded() throws Exception {
    ContainerStatus container = started(TestContainer.patient());
    assertThatThrownBy(() -> live.runtime().removeContainer(container.id()))
        .hasMessageContaining("is running");
    live.runtime().kill(container.id());
    live.awaitExit(container);
    assertThat(Path.of(container.logFile())).exists();
    live.runtime().removeContainer(container.id());
    live.runtime().removeContainer(container.id());
    assertThat(Path.of(container.logFile())).doesNotExist();
    assertThat(live.sandbox(pod).containers()).isEmpty();
  }

  @Test
  void aStoppedPodIsNotReadyAndCanBeStartedAgainOrRemoved() throws Exception {
    ContainerStatus container = started(TestContainer.patient());
    live.runtime().stopSandbox(pod.id().uid());
    live.runtime().stopSandbox(pod.id().uid());
    assertThat(live.sandbox(pod).isReady()).isFalse();
    assertThat(live.awaitExit(container).code()).isEqualTo(137);
    assertThatThrownBy(() -> started(TestContainer.patient().attempt(1)))
        .hasMessageContaining("sandbox is not ready");

    assertThat(live.runtime().startSandbox(pod.sandbox()).isReady()).isTrue();
    assertThat(live.sandbox(pod).containers()).hasSize(1);
    started(TestContainer.patient().attempt(1));

    live.runtime().removeSandbox(pod.id().uid());
    live.runtime().removeSandbox(pod.id().uid());
    assertThat(live.runtime().list()).isEmpty();
    assertThat(Files.exists(live.root.resolve("pods/uid-web"))).isFalse();
  }

  @Test
  void aPodThatIsToRunInAnotherWayIsRefused() {
    assertThatThrownBy(
            () -> live.runtime().startSandbox(TestPod.named("apart").sandbox().withHandler("kata")))
        .hasMessage(
            "no runtime for \"kata\" is configured: pods of this node are processes of its"
                + " machine");
    assertThat(live.root.resolve("pods/uid-apart")).doesNotExist();
  }

  @Test
  void aKilledShimDoesNotLeaveAContainerBehind() throws Exception {
    ContainerStatus container = started(TestContainer.patient());
    live.awaitLine(container, "up");
    String shim =
        Files.readString(live.root.resolve("pods/uid-web/sandbox/containers/main_0/shim"));
    ProcessHandle.of(Long.parseLong(shim.substring(0, shim.indexOf(' '))))
        .orElseThrow()
        .destroyForcibly();
    assertThat(live.awaitExit(container).code()).isEqualTo(137);
    assertNothingRuns();
  }
}
