package dev.berth.agent.runtime.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.PodUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processors, memory nodes and swap of real processes, with cgroups of version 1. */
class PlacementTest {
  private static final String SAYS_WHERE =
      "while :; do grep -E '^(Cpus|Mems)_allowed_list' /proc/self/status | tr -d '\\n\\t'; echo;"
          + " sleep 0.1; done";

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

  private static Limits limits(long memory, OptionalLong swap, boolean isSwappable) {
    return new Limits(
        2,
        Optional.empty(),
        OptionalLong.of(memory),
        swap,
        OptionalLong.empty(),
        1000,
        "",
        "",
        isSwappable);
  }

  @Test
  void aContainerRunsWhereItMayAndMovesWhileItRuns() throws Exception {
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.script(SAYS_WHERE)
                    .limitedTo(Limits.NONE.placed(new Placement("0", "0", true)))
                    .spec(pod));
    live.awaitLine(container, "Cpus_allowed_list:0Mems_allowed_list:0");
    live.runtime().resize(container.id(), Limits.NONE.placed(new Placement("1", "", false)));
    live.awaitLine(container, "Cpus_allowed_list:1Mems_allowed_list:0");
  }

  @Test
  void aContainerThatRanAnywhereCanBeConfinedLater() throws Exception {
    ContainerStatus container = live.runtime().start(TestContainer.script(SAYS_WHERE).spec(pod));
    live.awaitLine(container, where());
    live.runtime().resize(container.id(), Limits.NONE.placed(new Placement("1", "0", false)));
    live.awaitLine(container, "Cpus_allowed_list:1Mems_allowed_list:0");
  }

  @Test
  void onlyWhoMaySwapDoes() throws Exception {
    Path file = Files.createTempFile(Path.of("/var/tmp"), "berth", ".swap");
    try {
      shell("chmod 600 %1$s && dd if=/dev/zero of=%1$s bs=1M count=96 status=none".formatted(file));
      shell("mkswap %1$s >/dev/null && swapon %1$s".formatted(file));
      // The shell holds 48 MiB in a variable.
      String needs = "x=$(head -c 50331648 /dev/zero | tr '\\000' a); echo up; sleep 1000";
      ContainerStatus swapping =
          live.runtime()
              .start(
                  TestContainer.script(needs)
                      .limitedTo(limits(32 << 20, OptionalLong.empty(), true))
                      .spec(pod));
      live.awaitLine(swapping, "up");
      PodUsage usage = live.runtime().usage().getFirst();
      assertThat(usage.total().swapBytes()).isGreaterThan(8L << 20);
      assertThat(usage.containers().getFirst().usage().swapBytes()).isGreaterThan(8L << 20);
      live.runtime().kill(swapping.id());
      live.awaitExit(swapping);

      ContainerStatus refused =
          live.runtime()
              .start(
                  TestContainer.script(needs)
                      .named("other")
                      .limitedTo(limits(32 << 20, OptionalLong.of(0), false))
                      .spec(pod));
      assertThat(live.awaitExit(refused).code()).isNotZero();
      assertThat(live.awaitExit(refused).outOfMemory()).isTrue();
    } finally {
      shell("swapoff %1$s 2>/dev/null; rm -f %1$s".formatted(file));
    }
  }

  /** Where this process may run. */
  private static String where() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.matches("(Cpus|Mems)_allowed_list.*"))
        .map(line -> line.replace("\t", ""))
        .collect(Collectors.joining());
  }

  private static void shell(String script) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
