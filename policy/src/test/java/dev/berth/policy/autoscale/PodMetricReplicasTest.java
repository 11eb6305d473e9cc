package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodMetricReplicasTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final AutoscalerSettings SETTINGS = AutoscalerSettings.DEFAULT;

  /** One letter for each pod: ready, unready, pending, failed, deleted. */
  private static List<MeasuredPod> pods(String states, String request) {
    List<MeasuredPod> pods = new ArrayList<>();
    for (int i = 0; i < states.length(); i++) {
      boolean isReady = states.charAt(i) != 'u';
      PodFixture pod =
          pod("p" + i)
              .on("n")
              .with("status.startTime", NOW.minusSeconds(isReady ? 3600 : 60).toString())
              .with(
                  "status.conditions",
                  JsonArray.of(
                      object("type", "Ready", "status", isReady ? "True" : "False")
                          .with("lastTransitionTime", NOW.minusSeconds(60).toString())));
      pod = request.isEmpty() ? pod : pod.requesting("cpu", request);
      pod =
          switch (states.charAt(i)) {
            case 'p' -> pod.phase("Pending");
            case 'f' -> pod.phase("Failed");
            case 'd' -> pod.terminatingSince(NOW);
            default -> pod;
          };
      pods.add(MeasuredPod.read(pod.tree()));
    }
    return pods;
  }

  /** What each pod uses, in their order; {@code -} if nobody knows. */
  private static Map<String, PodMetric> metrics(String values) {
    Map<String, PodMetric> metrics = new LinkedHashMap<>();
    String[] each = values.split(" ", -1);
    for (int i = 0; i < each.length; i++) {
      if (!each[i].equals("-")) {
        metrics.put("p" + i, new PodMetric(NOW, Duration.ofSeconds(10), Long.parseLong(each[i])));
      }
    }
    return metrics;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // name, current, pods, used, target, replicas, utilization
        "scale up                               | 3 | rrr       | 300 500 700        | 30 | 5 | 50",
        "scale down                             | 5 | rrrrr     | 100 300 500 250 250| 50 | 3 | 28",
        "within the tolerance                   | 3 | rrr       | 1010 1030 1020     | 100| 3 | 102",
        "unready pods do not hide the load      | 3 | uur       | 400 500 700        | 30 | 3 | 70",
        "unready pods are idle                  | 3 | urr       | 300 500 700        | 30 | 4 | 60",
        "pending pods are idle                  | 3 | rrp       | 600 600 -          | 30 | 4 | 60",
        "failed pods are ignored                | 2 | rrff      | 500 700 - -        | 50 | 3 | 60",
        "deleted pods are ignored               | 2 | rrd       | 500 700 900        | 50 | 3 | 60",
        "missing: would turn round              | 4 | rrrr      | 400 500 - -        | 30 | 4 | 45",
        "missing: less growth                   | 3 | rrr       | - 900 900          | 30 | 6 | 90",
        "missing: less shrinking                | 4 | rrrr      | 100 100 - 100      | 50 | 3 | 10",
        "missing: as much as the target above 100| 4| rrrr      | 500 500 500 -      | 300| 2 | 50",
        "unready does not stop shrinking        | 4 | rrru      | 100 300 500 1000   | 50 | 2 | 30",
        "metrics of others do not count         | 3 | rrr       | 600 600 600 9000   | 30 | 6 | 60",
        "no growth from fewer pods              | 8 | rrrr      | 400 400 - -        | 30 | 8 | 40",
      })
  void byUtilization(
      String name,
      int current,
      String states,
      String used,
      int target,
      int replicas,
      int utilization) {
    ReplicaCount count =
        PodMetricReplicas.byUtilization(
            question(current, pods(states, "1"), metrics(used)), target, "cpu", "", SETTINGS, NOW);

    assertThat(count).isInstanceOf(ReplicaCount.Known.class);
    if (count instanceof ReplicaCount.Known known) {
      assertThat(known.replicas()).isEqualTo(replicas);
      assertThat(known.utilization()).isEqualTo(OptionalInt.of(utilization));
    }
  }

  private static PodMetricReplicas.Question question(
      int current, List<MeasuredPod> pods, Map<String, PodMetric> metrics) {
    return new PodMetricReplicas.Question(current, pods, metrics, true, new Tolerances(0.1, 0.1));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "scale up                    | 3 | rrr  | 20000 10000 30000 | 15000 | 4 | 20000",
        "scale down                  | 5 | rrrrr| 12000 12000 12000 12000 12000| 20000 | 3 | 12000",
        "within the tolerance        | 3 | rrr  | 20666 20000 21000 | 20000 | 3 | 20555",
        "missing use the target      | 3 | rrr  | 8000 8000 -       | 20000 | 2 | 8000",
        "missing use nothing         | 2 | rr   | 50000 -           | 20000 | 3 | 50000",
      })
  void byAverage(
      String name, int current, String states, String used, long target, int replicas, long usage) {
    assertThat(
            PodMetricReplicas.byAverage(
                question(current, pods(states, ""), metrics(used)), target, SETTINGS, NOW))
        .isEqualTo(new ReplicaCount.Known(replicas, usage));
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      value = {
        "''  | 1  | 100 | no pods returned by selector while calculating replica count",
        "pp  | 1  | 100 | did not receive metrics for targeted pods (pods might be unready)",
        "r   | '' | 100 | missing request for cpu in container c0 of Pod p0",
        "r   | 0  | 100 | no metrics returned matched known pods",
      })
  void nobodyCanTell(String states, String request, String used, String why) {
    List<MeasuredPod> pods =
        request.isEmpty()
            ? List.of(
                MeasuredPod.read(
                    new PodFixture(
                            pod("p0")
                                .on("n")
                                .with("status.startTime", NOW.minusSeconds(3600).toString())
                                .tree())
                        .with(
                            "status.conditions",
                            JsonArray.of(
                                object("type", "Ready", "status", "True")
                                    .with("lastTransitionTime", "2026-01-01T00:30:00Z")))
                        .with("spec.containers", JsonArray.of(object("name", "c0")))
                        .tree()))
            : pods(states, request);

    assertThat(
            PodMetricReplicas.byUtilization(
                question(1, pods, metrics(used)), 50, "cpu", "", SETTINGS, NOW))
        .isEqualTo(new ReplicaCount.Unknown(why));
  }
}
