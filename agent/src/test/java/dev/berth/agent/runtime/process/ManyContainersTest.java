package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A hundred pods at once. Prints how long it took; the limit is for machines that are busy. */
class ManyContainersTest {
  private static final int PODS = 100;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Test
  void aHundredPodsStartAtOnce() throws Exception {
    try (LiveRuntime live = new LiveRuntime()) {
      ContainerStatus first = startOne(live, TestPod.named("first"));
      assertThat(first.isRunning()).isTrue();
      Instant alone = live.time.monotonicNow();
      startOne(live, TestPod.named("alone"));
      Duration ofOne = live.time.since(alone);

      ConcurrentLinkedQueue<ContainerStatus> started = new ConcurrentLinkedQueue<>();
      Instant began = live.time.monotonicNow();
      live.time.together(
          IntStream.range(0, PODS)
              .<Runnable>mapToObj(number ->
                  () -> {
                    try {
                      started.add(startOne(live, TestPod.named("pod" + number)));
                    } catch (RuntimeFailure e) {
                      throw new IllegalStateException(e);
                    }
                  })
              .toList());
      Duration ofAll = live.time.since(began);
      System.out.printf(
          "one pod: %d ms; %d pods at once: %d ms%n", ofOne.toMillis(), PODS, ofAll.toMillis());
      assertThat(started).hasSize(PODS).allMatch(ContainerStatus::isRunning);
      assertThat(ofAll).isLessThan(LIMIT);
      List<String> addresses =
          live.runtime().list().stream().flatMap(each -> each.addresses().stream()).toList();
      assertThat(addresses).doesNotHaveDuplicates();
    }
  }

  private static ContainerStatus startOne(LiveRuntime live, TestPod pod) throws RuntimeFailure {
    live.runtime().startSandbox(pod.sandbox());
    return live.runtime().start(TestContainer.running("sleep", "1000").spec(pod));
  }
}
