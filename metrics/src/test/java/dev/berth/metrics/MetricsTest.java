package dev.berth.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics();

  private String text() {
    return metrics.text(MetricsText.Format.PROMETHEUS);
  }

  @Test
  void countersAndGaugesAreWrittenByNameAndLabels() {
    Family<Counter> requests = metrics.counters("requests_total", "All of them.", "verb", "code");
    requests.with("GET", "200").add(2);
    requests.with("GET", "200").increment();
    requests.with("DELETE", "404").increment();
    Gauge open = metrics.gauges("open", "Those now.").with();
    open.increment();
    open.increment();
    open.decrement();
    assertThat(text())
        .isEqualTo(
            """
            # HELP open Those now.
            # TYPE open gauge
            open 1
            # HELP requests_total All of them.
            # TYPE requests_total counter
            requests_total{verb="DELETE",code="404"} 1
            requests_total{verb="GET",code="200"} 3
            """);
  }

  @Test
  void aHistogramCountsEachObservationInAllBucketsThatHoldIt() {
    Family<Histogram> seconds = metrics.histograms("took", "Time.", List.of(0.1, 1.0), "verb");
    seconds.with("GET").observe(Duration.ofMillis(100));
    seconds.with("GET").observe(Duration.ofMillis(500));
    seconds.with("GET").observe(Duration.ofSeconds(2));
    assertThat(text())
        .isEqualTo(
            """
            # HELP took Time.
            # TYPE took histogram
            took_bucket{verb="GET",le="0.1"} 1
            took_bucket{verb="GET",le="1"} 2
            took_bucket{verb="GET",le="+Inf"} 3
            took_sum{verb="GET"} 2.6
            took_count{verb="GET"} 3
            """);
  }

  @Test
  void boundsAreLabelsAsGoWritesThem() {
    metrics
        .histograms("took", "Time.", List.of(1e-8, 2.5e-5, 1e-4, 0.25, 100_000.0, 1_500_000.0))
        .with();
    assertThat(text().lines().filter(line -> line.startsWith("took_bucket")))
        .containsExactly(
            "took_bucket{le=\"1e-08\"} 0",
            "took_bucket{le=\"2.5e-05\"} 0",
            "took_bucket{le=\"0.0001\"} 0",
            "took_bucket{le=\"0.25\"} 0",
            "took_bucket{le=\"100000\"} 0",
            "took_bucket{le=\"1.5e+06\"} 0",
            "took_bucket{le=\"+Inf\"} 0");
  }

  @Test
  void openMetricsNamesCountersWithoutTotalAndSaysWhereItEnds() {
    metrics.counters("requests_total", "All.").with().increment();
    assertThat(metrics.text(MetricsText.Format.OPEN_METRICS))
        .isEqualTo("# HELP requests All.\n# TYPE requests counter\nrequests_total 1\n# EOF\n");
    assertThat(MetricsText.Format.of(List.of("application/openmetrics-text;version=1.0.0,*/*")))
        .isEqualTo(MetricsText.Format.OPEN_METRICS);
    assertThat(MetricsText.Format.of(List.of("text/plain")))
        .isEqualTo(MetricsText.Format.PROMETHEUS);
  }

  @Test
  void figuresAreLookedUpWhenTheyAreShown() {
    double[] now = {1};
    metrics.lookedUp(
        "objects", "Stored.", List.of("of"), each -> each.accept(List.of("pods"), now[0]));
    now[0] = 2.5;
    assertThat(text()).endsWith("objects{of=\"pods\"} 2.5\n");
  }

  @Test
  void labelsCannotBreakOutOfTheirLine() {
    metrics.counters("odd_total", "Odd.", "what").with("a\"b\\c\nd").increment();
    assertThat(text()).endsWith("odd_total{what=\"a\\\"b\\\\c\\nd\"} 1\n");
  }

  @Test
  void tooManySetsOfLabelsAreCountedTogether() {
    Family<Counter> family = metrics.counters("many_total", "Many.", "name");
    for (int i = 0; i < 7_000; i++) {
      family.with("n" + i).increment();
    }
    assertThat(text().lines().count()).isLessThan(5_100);
    assertThat(family.with("other").value()).isGreaterThanOrEqualTo(2_000);
    family.with("n0").increment();
    assertThat(family.with("n0").value()).isEqualTo(2);
  }

  @Test
  void nothingIsLostBetweenThreads() {
    Family<Counter> family = metrics.counters("shared_total", "Shared.", "of");
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        threads.execute(() -> {
          for (int n = 0; n < 10_000; n++) {
            family.with("all").increment();
          }
        });
      }
    }
    assertThat(family.with("all").value()).isEqualTo(40_000);
  }

  @Test
  void mistakesAreNoticed() {
    Family<Counter> family = metrics.counters("once_total", "Once.", "a");
    assertThatThrownBy(() -> metrics.counters("once_total", "Again."))
        .hasMessage("There is a metric once_total already.");
    assertThatThrownBy(() -> family.with("x", "y")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> family.with("x").add(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A component that is started afresh declares its metrics once more. */
  @Test
  void whatIsDeclaredAgainGoesOnCounting() {
    metrics.counters("again_total", "Again.", "a").with("x").increment();
    metrics.counters("again_total", "Again.", "a").with("x").increment();
    metrics.lookedUp("size", "Size.", List.of(), action -> action.accept(List.of(), 1.0));
    metrics.lookedUp("size", "Size.", List.of(), action -> action.accept(List.of(), 2.0));

    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains("again_total{a=\"x\"} 2")
        .contains("size 2")
        .doesNotContain("size 1");
  }
}
