package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueReplicasTest {
  private static final Tolerances TENTH = new Tolerances(0.1, 0.1);

  private static List<MeasuredPod> pods(int all, int ready) {
    return IntStream.range(0, all)
        .mapToObj(i -> MeasuredPod.read(pod("p" + i).on("n").ready(i < ready).tree()))
        .toList();
  }

  @ParameterizedTest(name = "{0} replicas, {2} of {1} ready, {3} for {4}: {5}")
  @CsvSource({
    "3, 3, 3, 20000, 15000, 4",
    "3, 3, 2, 20000, 15000, 3",
    "3, 3, 3, 15500, 15000, 3",
    "5, 5, 5, 12000, 20000, 3",
    "0, 0, 0, 30000, 20000, 2",
    "0, 0, 0, 0, 20000, 0",
    "3, 3, 3, 9223372036854775807, 1, 2147483647",
  })
  void byValue(int current, int all, int ready, long usage, long target, int replicas) {
    assertThat(ValueReplicas.byValue(current, usage, target, pods(all, ready), TENTH))
        .isEqualTo(new ReplicaCount.Known(replicas, usage));
  }

  @Test
  void nobodyKnowsWithoutPods() {
    assertThat(ValueReplicas.byValue(2, 100, 10, List.of(), TENTH))
        .isEqualTo(
            new ReplicaCount.Unknown(
                "unable to calculate ready pods: no pods returned by selector while calculating"
                    + " replica count"));
  }

  @ParameterizedTest(name = "{0} replicas, {1} for {2} each: {3}, average {4}")
  @CsvSource({
    "3, 8600, 2150, 4, 2867",
    "3, 8600, 2867, 3, 2867",
    "5, 8600, 2867, 3, 1720",
    "0, 8600, 2867, 3, 8600",
    "3, 9223372036854775807, 1, 2147483647, 9223372036854775807",
  })
  void byAverage(int present, long usage, long target, int replicas, long average) {
    assertThat(ValueReplicas.byAverage(present, usage, target, TENTH))
        .isEqualTo(new ReplicaCount.Known(replicas, average));
  }

  @Test
  void sumsStayWithinBounds() {
    assertThat(ValueReplicas.sum(List.of(1L, 2L, 3L))).isEqualTo(6);
    assertThat(ValueReplicas.sum(List.of(Long.MAX_VALUE, 2L))).isEqualTo(Long.MAX_VALUE);
    assertThat(ValueReplicas.sum(List.of(5L, -2L))).isEqualTo(3);
  }
}
