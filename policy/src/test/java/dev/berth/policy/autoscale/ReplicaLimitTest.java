package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.policy.autoscale.ScaleChanges.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicaLimitTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  @ParameterizedTest(name = "{1} of {0} within {2} and {3}: {4} {5}")
  @CsvSource({
    "3, 5, 1, 10, 5, DesiredWithinRange",
    "3, 7, 1, 10, 6, ScaleUpLimit",
    "1, 7, 1, 10, 4, ScaleUpLimit",
    "3, 7, 1, 5, 5, TooManyReplicas",
    "3, 7, 1, 6, 6, TooManyReplicas",
    "5, 1, 2, 10, 2, TooFewReplicas",
    "5, 2, 2, 10, 2, DesiredWithinRange",
  })
  void withoutRules(int current, int desired, int min, int max, int replicas, String reason) {
    ReplicaLimit limit = ReplicaLimit.standard(current, desired, min, max);
    assertThat(limit.replicas()).isEqualTo(replicas);
    assertThat(limit.reason()).isEqualTo(reason);
  }

  private static AutoscalerBehavior behavior(String up, String down) {
    String rules = "{'spec':{'behavior':{'scaleUp':%s,'scaleDown':%s}}}".formatted(up, down);
    return Objects.requireNonNull(AutoscalerView.read(tree(rules)).behavior());
  }

  private static List<Change> changes(String all) {
    List<Change> changes = new ArrayList<>();
    for (String each : all.isEmpty() ? new String[0] : all.split(" ", -1)) {
      String[] parts = each.split("@", -1);
      changes.add(
          new Change(Integer.parseInt(parts[0]), NOW.minusSeconds(Long.parseLong(parts[1]))));
    }
    return changes;
  }

  private static String policies(String select, String policies) {
    List<String> all = new ArrayList<>();
    for (String each : policies.split(" ", -1)) {
      String[] parts = each.split("/", -1);
      boolean isPercent = parts[0].endsWith("%");
      all.add(
          "{'type':'%s','value':%s,'periodSeconds':%s}"
              .formatted(isPercent ? "Percent" : "Pods", parts[0].replace("%", ""), parts[1]));
    }
    return "{'selectPolicy':'%s','policies':[%s]}".formatted(select, String.join(",", all));
  }

  @ParameterizedTest(name = "{3} by {0} {1}, changed before {2}: {4} {5}")
  @CsvSource({
    "Max, 4/60, '', 20, 14, ScaleUpLimit",
    "Max, 4/60, 3@59, 20, 11, ScaleUpLimit",
    "Max, 4/60, 3@60, 20, 14, ScaleUpLimit",
    "Max, 4/60, 9@30, 20, 10, ScaleUpLimit",
    "Max, 4/60 100%/60, '', 30, 20, ScaleUpLimit",
    "Min, 4/60 100%/60, '', 30, 14, ScaleUpLimit",
    "Max, 1%/60, '', 30, 11, ScaleUpLimit",
    "Disabled, 4/60, '', 30, 10, ScaleUpLimit",
    "Max, 100%/60, '', 12, 12, DesiredWithinRange",
    "Max, 900%/60, '', 60, 50, TooManyReplicas",
  })
  void growing(
      String select, String policies, String before, int desired, int replicas, String reason) {
    ReplicaLimit limit =
        ReplicaLimit.of(
            10,
            desired,
            2,
            50,
            behavior(policies(select, policies), "{}"),
            new ScaleChanges(changes(before), List.of()),
            NOW);
    assertThat(limit.replicas()).isEqualTo(replicas);
    assertThat(limit.reason()).isEqualTo(reason);
  }

  @ParameterizedTest(name = "{3} by {0} {1}, changed before {2}: {4} {5}")
  @CsvSource({
    "Max, 4/60, '', 2, 6, ScaleDownLimit",
    "Max, 4/60, 3@59, 2, 9, ScaleDownLimit",
    "Max, 4/60, 9@59, 2, 10, ScaleDownLimit",
    "Max, 4/60 50%/60, '', 2, 5, ScaleDownLimit",
    "Min, 4/60 50%/60, '', 2, 6, ScaleDownLimit",
    "Max, 1%/60, '', 2, 9, ScaleDownLimit",
    "Disabled, 4/60, '', 2, 10, ScaleDownLimit",
    "Max, 100%/60, '', 1, 2, TooFewReplicas",
    "Max, 100%/60, '', 3, 3, DesiredWithinRange",
  })
  void shrinking(
      String select, String policies, String before, int desired, int replicas, String reason) {
    ReplicaLimit limit =
        ReplicaLimit.of(
            10,
            desired,
            2,
            50,
            behavior("{}", policies(select, policies)),
            new ScaleChanges(List.of(), changes(before)),
            NOW);
    assertThat(limit.replicas()).isEqualTo(replicas);
    assertThat(limit.reason()).isEqualTo(reason);
  }
}
