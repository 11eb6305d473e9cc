package dev.berth.policy.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.autoscale.Recommendations.Recommendation;
import dev.berth.policy.autoscale.Recommendations.Windows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecommendationsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  /** Each as replicas and how many seconds ago: {@code 5@60}. */
  private static Recommendations past(String all) {
    List<Recommendation> past = new ArrayList<>();
    for (String each : all.isEmpty() ? new String[0] : all.split(" ", -1)) {
      String[] parts = each.split("@", -1);
      past.add(
          new Recommendation(
              Integer.parseInt(parts[0]), NOW.minusSeconds(Long.parseLong(parts[1]))));
    }
    return new Recommendations(past);
  }

  @ParameterizedTest(name = "{1} after {0}: {2}")
  @CsvSource({
    "'', 5, 5",
    "7@299, 5, 7",
    "7@300, 5, 7",
    "7@301, 5, 5",
    "4@60, 5, 5",
    "7@400 6@100 5@50, 3, 6",
  })
  void theHighestOfTheWindowCounts(String past, int recommended, int replicas) {
    assertThat(past(past).highest(recommended, Duration.ofMinutes(5), NOW).replicas())
        .isEqualTo(replicas);
  }

  @ParameterizedTest(name = "{0}, {1} of {2}, windows {3}s up and {4}s down: {5} {6}")
  @CsvSource({
    "'', 8, 5, 0, 0, 8, ScaleUpStabilized",
    "6@30, 8, 5, 60, 60, 6, ScaleUpStabilized",
    "6@60, 8, 5, 60, 60, 8, ScaleUpStabilized",
    "4@30, 8, 5, 60, 60, 5, ScaleUpStabilized",
    "'', 2, 5, 0, 300, 2, ScaleDownStabilized",
    "4@100, 2, 5, 0, 300, 4, ScaleDownStabilized",
    "9@100, 2, 5, 0, 300, 5, ScaleDownStabilized",
    "9@300, 2, 5, 0, 300, 2, ScaleDownStabilized",
    "9@100, 2, 5, 0, 0, 2, ScaleDownStabilized",
  })
  void itComesAsNearToTheCurrentNumberAsItMay(
      String past, int recommended, int current, int up, int down, int replicas, String reason) {
    Windows windows = new Windows(Duration.ofSeconds(up), Duration.ofSeconds(down));
    Recommendations.Stabilized stable = past(past).within(current, recommended, windows, NOW);

    assertThat(stable.replicas()).isEqualTo(replicas);
    assertThat(stable.reason()).isEqualTo(reason);
  }

  @Test
  void theyAreForgottenWhenNoWindowHoldsThem() {
    Windows windows = new Windows(Duration.ofSeconds(10), Duration.ofSeconds(100));

    assertThat(past("5@101 6@100 7@1").with(8, windows, NOW)).isEqualTo(past("6@100 7@1 8@0"));
    assertThat(past("").begunWith(3, NOW)).isEqualTo(past("3@0"));
    assertThat(past("5@10").begunWith(3, NOW)).isEqualTo(past("5@10"));
  }
}
