package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A runtime that comes back finds what it left, and what happened meanwhile. */
class AdoptionTest {
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

  private static Path marker(LiveRuntime live, String name) {
    return live.root.resolve("pods/uid-web/sandbox/containers/main_0/written").resolve(name);
  }

  @Test
  void whatRunsGoesOnAndIsTheSameAfterwards() throws Exception {
    ContainerStatus container = live.runtime().start(TestContainer.patient().spec(pod));
    live.awaitLine(container, "up");
    PodSandbox before = live.sandbox(pod);
    live.restart();
    assertThat(live.sandbox(pod)).isEqualTo(before);
    assertThat(live.runtime().start(TestContainer.patient().spec(pod))).isEqualTo(container);
    try (var session =
        live.runtime().exec(container.id(), new ExecSpec(List.of("echo", "hi"), false, false))) {
      assertThat(new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("hi\n");
    }
    live.runtime().signal(container.id(), "TERM");
    assertThat(live.awaitExit(container).code()).isZero();
  }

  @Test
  void whatEndedAndWasWrittenMeanwhileIsNotLost() throws Exception {
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.script(
                        "echo before; while ! test -e /go; do sleep 0.01; done; echo meanwhile;"
                            + " exit 9")
                    .spec(pod));
    live.awaitLine(container, "before");
    live.leave();
    Files.writeString(marker(live, "go"), "");
    Path exit = live.root.resolve("pods/uid-web/sandbox/containers/main_0/exit");
    assertThat(Await.until(live.time, Duration.ofMinutes(2), () -> Files.exists(exit))).isTrue();
    live.comeBack();
    assertThat(live.awaitExit(container).code()).isEqualTo(9);
    assertThat(LiveRuntime.log(container)).isEqualTo("before\nmeanwhile\n");
    assertThat(live.status(container.id()).started()).isEqualTo(container.started());
    live.restart();
    assertThat(live.awaitExit(container).code()).isEqualTo(9);
  }

  @Test
  void aContainerWhoseCommandWasMissingHasStillEnded() throws Exception {
    ContainerSpec missing = TestContainer.running("nope").spec(pod);
    assertThatThrownBy(() -> live.runtime().start(missing)).isInstanceOf(RuntimeFailure.class);
    PodSandbox before = live.sandbox(pod);
    live.restart();
    assertThat(live.sandbox(pod)).isEqualTo(before);
    assertThat(live.runtime().start(missing).exit())
        .isEqualTo(before.containers().getFirst().exit());
  }

  @Test
  void aContainerWhoseShimNeverBeganIsStartedAfresh() throws Exception {
    ContainerStatus container = live.runtime().start(TestContainer.patient().spec(pod));
    live.runtime().kill(container.id());
    live.awaitExit(container);
    live.leave();
    Path directory = live.root.resolve("pods/uid-web/sandbox/containers/main_0");
    for (String file : List.of("shim", "started", "exit")) {
      Files.delete(directory.resolve(file));
    }
    live.comeBack();
    assertThat(live.sandbox(pod).containers()).isEmpty();
    assertThat(live.runtime().start(TestContainer.patient().spec(pod)).isRunning()).isTrue();
  }

  @Test
  void addressesOfLivingPodsAreNotGivenToOthers() throws Exception {
    live.restart();
    live.pod("second");
    assertThat(live.sandbox(TestPod.named("second")).addresses())
        .doesNotContainAnyElementsOf(live.sandbox(pod).addresses());
  }

  @Test
  void twoAgentsDoNotShareAStateDirectory() {
    assertThatThrownBy(() -> new ProcessRuntime(live.settings))
        .hasMessage("another agent runs in " + live.root + ": stop it first");
  }
}
