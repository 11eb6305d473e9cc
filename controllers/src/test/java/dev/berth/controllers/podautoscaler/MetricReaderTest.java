package dev.berth.controllers.podautoscaler;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.autoscale.PodMetric;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricReaderTest {
  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0} of container {1}: {2}")
  @CsvSource(
      emptyValue = "",
      value = {
        "cpu, '', 350",
        "cpu, b, 250",
        "memory, a, 1048576000",
        "memory, '', -1",
        "cpu, c, -1"
      })
  void usageIsSummedUpUnlessAContainerLacksIt(String resource, String container, long value) {
    var metrics =
        List.of(
            tree(
                "{'metadata':{'name':'p'},'timestamp':'2026-01-01T00:00:00Z','window':'1m0s',"
                    + "'containers':[{'name':'a','usage':{'cpu':'100m','memory':'1Mi'}},"
                    + "{'name':'b','usage':{'cpu':'250000000n'}}]}"),
            tree("{'metadata':{'name':'none'},'containers':[]}"));

    assertThat(MetricReader.usage(metrics, resource, container))
        .isEqualTo(
            value < 0 ? Map.of() : Map.of("p", new PodMetric(TIME, Duration.ofMinutes(1), value)));
  }

  @Test
  void customMetricsHaveTheirWindowsInOneOfTwoFields() {
    var metrics =
        List.of(
            tree(
                "{'describedObject':{'name':'a'},'timestamp':'2026-01-01T00:00:00Z','value':'2',"
                    + "'windowSeconds':5}"),
            tree(
                "{'describedObject':{'name':'b'},'timestamp':'2026-01-01T00:00:00Z','value':'1500m',"
                    + "'window':7}"),
            tree(
                "{'describedObject':{'name':'c'},'timestamp':'2026-01-01T00:00:00Z','value':'0'}"));

    assertThat(MetricReader.ofPods(metrics))
        .isEqualTo(
            Map.of(
                "a", new PodMetric(TIME, Duration.ofSeconds(5), 2000),
                "b", new PodMetric(TIME, Duration.ofSeconds(7), 1500),
                "c", new PodMetric(TIME, Duration.ofMinutes(1), 0)));
    assertThat(MetricReader.values(metrics)).containsExactly(2000L, 1500L, 0L);
  }
}
