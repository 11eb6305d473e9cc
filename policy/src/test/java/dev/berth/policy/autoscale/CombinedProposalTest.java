package dev.berth.policy.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CombinedProposalTest {
  private static final MetricProposal.Failed FAILED =
      new MetricProposal.Failed("FailedGetPodsMetric", "why", "failed to get it: ");

  /** Numbers of replicas, and {@code -} for a metric that failed. */
  private static List<MetricProposal> proposals(String all) {
    List<MetricProposal> proposals = new ArrayList<>();
    for (String each : all.split(" ", -1)) {
      proposals.add(
          each.equals("-")
              ? FAILED
              : new MetricProposal.Proposed(
                  Integer.parseInt(each), "metric " + each, JsonObject.of("type", "Pods")));
    }
    return proposals;
  }

  @ParameterizedTest(name = "{0} of 5: {1}, usable {2}")
  @CsvSource({
    "3, 3, true",
    "3 7 4, 7, true",
    "- 7, 7, true",
    "- 5, 5, true",
    "- 4, 4, false",
    "- -, 0, false",
  })
  void theMostCountsUnlessSomethingThatFailedMightWantMore(
      String all, int replicas, boolean isUsable) {
    CombinedProposal combined = CombinedProposal.of(proposals(all), 5);

    assertThat(combined.replicas()).isEqualTo(replicas);
    assertThat(combined.isUsable()).isEqualTo(isUsable);
    assertThat(combined.metric()).isEqualTo(replicas == 0 ? "" : "metric " + replicas);
  }

  @Test
  void saysWhatFailedFirst() {
    CombinedProposal combined = CombinedProposal.of(proposals("3 - -"), 5);

    assertThat(combined.summary())
        .isEqualTo("invalid metrics (2 invalid out of 3), first error is: failed to get it: why");
    assertThat(combined.statuses())
        .containsExactly(
            JsonObject.of("type", "Pods"), JsonObject.of("type", ""), JsonObject.of("type", ""));
  }
}
