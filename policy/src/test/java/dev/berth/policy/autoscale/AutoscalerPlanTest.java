package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AutoscalerPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  private static AutoscalerView autoscaler(String more) {
    return AutoscalerView.read(
        tree(
            ("{'metadata':{'namespace':'default','name':'web'},'spec':{'scaleTargetRef':{'kind':"
                    + "'Deployment','name':'web','apiVersion':'apps/v1'},'minReplicas':2,"
                    + "'maxReplicas':10,'metrics':[{'type':'Resource','resource':{'name':'cpu',"
                    + "'target':{'type':'Utilization','averageUtilization':50}}}]%s}}")
                .formatted(more)));
  }

  private static TargetScale scale(int replicas) {
    return new TargetScale(replicas, replicas, "app=web");
  }

  /** So many pods that request a core, and use so many thousandths of it. */
  private static Measurements using(int replicas, long each) {
    Map<String, PodMetric> metrics = new HashMap<>();
    for (int i = 0; i < replicas; i++) {
      metrics.put("p" + i, new PodMetric(NOW, Duration.ofSeconds(10), each));
    }
    return new Measurements.Taken(
        List.of(new MetricAnswer.OfPods(metrics)),
        IntStream.range(0, replicas)
            .mapToObj(i ->
                MeasuredPod.read(
                    pod("p" + i)
                        .on("n")
                        .requesting("cpu", "1")
                        .with("status.startTime", "2026-01-01T00:00:00Z")
                        .with(
                            "status.conditions",
                            JsonArray.of(
                                object("type", "Ready", "status", "True")
                                    .with("lastTransitionTime", "2026-01-01T00:00:10Z")))
                        .tree()))
            .toList());
  }

  private static AutoscalerPlan plan(
      AutoscalerView autoscaler, int replicas, Measurements measurements) {
    return AutoscalerPlan.of(
        autoscaler,
        scale(replicas),
        measurements,
        AutoscalerHistory.NONE,
        AutoscalerSettings.DEFAULT,
        NOW);
  }

  private static String condition(JsonObject status, String type) {
    JsonObject condition =
        Conditions.find(status.array("conditions"), type).orElse(JsonObject.EMPTY);
    return "%s %s: %s"
        .formatted(
            condition.text("status", ""),
            condition.text("reason", ""),
            condition.text("message", ""));
  }

  @Test
  void growsWithTheLoad() {
    AutoscalerPlan plan = plan(autoscaler(""), 3, using(3, 800));

    assertThat(plan.isRescale()).isTrue();
    assertThat(plan.to()).isEqualTo(5);
    AutoscalerPlan.Outcome outcome = plan.rescaled(autoscaler(""), NOW);
    assertThat(outcome.events())
        .containsExactly(
            new AutoscalerEvent(
                false,
                "SuccessfulRescale",
                "New size: 5; reason: cpu resource utilization (percentage of request) above"
                    + " target"));
    JsonObject status = outcome.status();
    assertThat(status.integer("currentReplicas")).hasValue(3);
    assertThat(status.integer("desiredReplicas")).hasValue(5);
    assertThat(status.text("lastScaleTime")).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(status.array("currentMetrics").objects())
        .containsExactly(
            tree(
                "{'type':'Resource','resource':{'name':'cpu','current':{'averageUtilization':80,"
                    + "'averageValue':'800m'}}}"));
    assertThat(condition(status, "AbleToScale"))
        .isEqualTo(
            "True SucceededRescale: the HPA controller was able to update the target scale to 5");
    assertThat(condition(status, "ScalingActive"))
        .isEqualTo(
            "True ValidMetricFound: the HPA was able to successfully calculate a replica count from"
                + " cpu resource utilization (percentage of request)");
    assertThat(condition(status, "ScalingLimited"))
        .isEqualTo("False DesiredWithinRange: the desired count is within the acceptable range");
  }

  @Test
  void doesNotShrinkBelowARecentRecommendation() {
    AutoscalerPlan plan = plan(autoscaler(""), 6, using(6, 200));

    assertThat(plan.isRescale()).isFalse();
    assertThat(condition(plan.status(), "AbleToScale"))
        .isEqualTo(
            "True ScaleDownStabilized: recent recommendations were higher than current one,"
                + " applying the highest recent recommendation");

    AutoscalerPlan later =
        AutoscalerPlan.of(
            autoscaler(""),
            scale(6),
            using(6, 200),
            plan.history(),
            AutoscalerSettings.DEFAULT,
            NOW.plusSeconds(301));
    assertThat(later.to()).isEqualTo(3);
    assertThat(later.reason()).isEqualTo("All metrics below target");
  }

  @Test
  void isLimitedByBoundsAndRates() {
    assertThat(condition(plan(autoscaler(""), 3, using(3, 5000)).status(), "ScalingLimited"))
        .isEqualTo(
            "True ScaleUpLimit: the desired replica count is increasing faster than the maximum"
                + " scale rate");
    assertThat(condition(plan(autoscaler(""), 6, using(6, 5000)).status(), "ScalingLimited"))
        .isEqualTo(
            "True TooManyReplicas: the desired replica count is more than the maximum replica"
                + " count");
    String fast = ",'behavior':{'scaleDown':{'stabilizationWindowSeconds':0}}";
    AutoscalerPlan idle = plan(autoscaler(fast), 6, using(6, 1));
    assertThat(idle.to()).isEqualTo(2);
    assertThat(condition(idle.status(), "ScalingLimited"))
        .isEqualTo(
            "True TooFewReplicas: the desired replica count is less than the minimum replica"
                + " count");
  }

  @Test
  void respectsThePoliciesOfABehavior() {
    AutoscalerView autoscaler =
        autoscaler(
            ",'behavior':{'scaleUp':{'policies':[{'type':'Pods','value':1,'periodSeconds':60}]}}");
    AutoscalerPlan first = plan(autoscaler, 2, using(2, 1000));
    assertThat(first.to()).isEqualTo(3);

    AutoscalerHistory history = first.rescaled(autoscaler, NOW).history();
    AutoscalerPlan second =
        AutoscalerPlan.of(
            autoscaler,
            scale(3),
            using(3, 1000),
            history,
            AutoscalerSettings.DEFAULT,
            NOW.plusSeconds(59));
    assertThat(second.isRescale()).isFalse();
    AutoscalerPlan third =
        AutoscalerPlan.of(
            autoscaler,
            scale(3),
            using(3, 1000),
            history,
            AutoscalerSettings.DEFAULT,
            NOW.plusSeconds(60));
    assertThat(third.to()).isEqualTo(4);
  }

  @Test
  void goesByItsOwnTolerance() {
    assertThat(plan(autoscaler(""), 4, using(4, 540)).isRescale()).isFalse();
    assertThat(plan(autoscaler(",'behavior':{'scaleUp':{'tolerance':'0'}}"), 4, using(4, 540)).to())
        .isEqualTo(5);
  }

  @Test
  void bringsReplicasIntoItsBounds() {
    AutoscalerPlan many = plan(autoscaler(""), 11, new Measurements.NotNeeded());
    assertThat(many.to()).isEqualTo(10);
    assertThat(many.reason()).isEqualTo("Current number of replicas above Spec.MaxReplicas");

    AutoscalerPlan few = plan(autoscaler(""), 1, new Measurements.NotNeeded());
    assertThat(few.to()).isEqualTo(2);
    assertThat(few.reason()).isEqualTo("Current number of replicas below Spec.MinReplicas");

    assertThat(AutoscalerPlan.needsMetrics(autoscaler(""), scale(0))).isFalse();
    assertThat(AutoscalerPlan.needsMetrics(autoscaler(""), scale(2))).isTrue();
    assertThat(AutoscalerPlan.needsMetrics(autoscaler(""), scale(11))).isFalse();
  }

  @Test
  void leavesWhatWasTurnedOff() {
    AutoscalerPlan plan = plan(autoscaler(""), 0, new Measurements.NotNeeded());

    assertThat(plan.isRescale()).isFalse();
    assertThat(condition(plan.status(), "ScalingActive"))
        .isEqualTo(
            "False ScalingDisabled: scaling is disabled since the replica count of the target is"
                + " zero");
  }

  @Test
  void saysWhyThereAreNoMetrics() {
    AutoscalerPlan plan =
        plan(
            autoscaler(""),
            3,
            new Measurements.Taken(List.of(new MetricAnswer.Failed("E")), List.of()));

    String why = "failed to get cpu utilization: unable to get metrics for resource cpu: E";
    assertThat(plan.isRescale()).isFalse();
    assertThat(condition(plan.status(), "AbleToScale"))
        .isEqualTo(
            "True SucceededGetScale: the HPA controller was able to get the target's current"
                + " scale");
    assertThat(condition(plan.status(), "ScalingActive"))
        .isEqualTo(
            "False FailedGetResourceMetric: the HPA was unable to compute the replica count: "
                + why);
    assertThat(plan.events())
        .containsExactly(
            new AutoscalerEvent(true, "FailedGetResourceMetric", why),
            new AutoscalerEvent(
                true,
                "FailedComputeMetricsReplicas",
                "invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource"
                    + " metric value: "
                    + why));
    assertThat(plan.status().integer("currentReplicas")).hasValue(3);
    assertThat(plan.status().array("currentMetrics"))
        .isEqualTo(JsonArray.of(JsonObject.of("type", "")));
  }

  @Test
  void saysWhyPodsCannotBeSelected() {
    AutoscalerPlan plan =
        plan(
            autoscaler(""),
            3,
            new Measurements.NotSelected(
                new TargetSelector.Invalid("SelectorRequired", "why", "InvalidSelector", "text")));

    assertThat(condition(plan.status(), "ScalingActive")).isEqualTo("False InvalidSelector: text");
    assertThat(plan.events())
        .containsExactly(
            new AutoscalerEvent(true, "SelectorRequired", "why"),
            new AutoscalerEvent(true, "FailedComputeMetricsReplicas", "why"));
  }

  @Test
  void saysWhyThereIsNoScale() {
    AutoscalerPlan plan =
        AutoscalerPlan.withoutScale(autoscaler(""), "E", AutoscalerHistory.NONE, NOW);

    assertThat(condition(plan.status(), "AbleToScale"))
        .isEqualTo(
            "False FailedGetScale: the HPA controller was unable to get the target's current"
                + " scale: E");
    assertThat(plan.events()).containsExactly(new AutoscalerEvent(true, "FailedGetScale", "E"));
  }

  @Test
  void saysWhyTheTargetWasNotScaled() {
    AutoscalerPlan.Outcome outcome =
        plan(autoscaler(""), 3, using(3, 800)).notRescaled(autoscaler(""), "E", NOW);

    assertThat(condition(outcome.status(), "AbleToScale"))
        .isEqualTo(
            "False FailedUpdateScale: the HPA controller was unable to update the target scale: E");
    assertThat(outcome.status().integer("desiredReplicas")).hasValue(0);
    assertThat(outcome.events())
        .containsExactly(
            new AutoscalerEvent(
                true,
                "FailedRescale",
                "New size: 5; reason: cpu resource utilization (percentage of request) above"
                    + " target; error: E"));
  }
}
