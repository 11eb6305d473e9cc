package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import dev.berth.model.autoscaling.AutoscalerStatus;
import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.model.autoscaling.MetricSpec;
import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done for an autoscaler: whether its target is scaled, and what its status says.
 *
 * <ol>
 *   <li>A target without replicas is not scaled: somebody has turned it off.
 *   <li>One with fewer replicas than the minimum or more than the maximum gets that many.
 *   <li>Otherwise the metric counts that asks for most. If some cannot be read, the others may only
 *       add replicas; if none can, nothing is done.
 *   <li>What is asked for is held up by recent recommendations and limited by bounds and rates.
 * </ol>
 *
 * @param from how many replicas the target should have had so far
 * @param to how many it should have
 * @param reason why it is scaled, for people
 * @param status as it is to be written, if the target is not scaled
 * @param computations what came of each metric, if they were read
 * @param history what is to be remembered
 * @param failure what went wrong; empty if nothing did
 */
public record AutoscalerPlan(
    int from,
    int to,
    String reason,
    JsonObject status,
    List<AutoscalerEvent> events,
    List<Computation> computations,
    AutoscalerHistory history,
    String failure) {
  private static final String SCALED_TO_ZERO = "ScaledToZero";
  private static final String FAILED_GET_SCALE = "FailedGetScale";
  private static final String BELOW_MINIMUM = "Current number of replicas below Spec.MinReplicas";
  private static final String ABOVE_MAXIMUM = "Current number of replicas above Spec.MaxReplicas";

  public AutoscalerPlan {
    events = List.copyOf(events);
    computations = List.copyOf(computations);
  }

  /**
   * What came of a metric.
   *
   * @param type of the metric
   * @param replicas how many it asks for; 0 if it failed
   * @param reason why it failed, in one word; empty if it did not
   */
  public record Computation(String type, int replicas, String reason) {}

  public boolean isRescale() {
    return from != to;
  }

  /** How it ended: what is to be written, told and remembered. */
  public record Outcome(
      JsonObject status, List<AutoscalerEvent> events, AutoscalerHistory history) {}

  /** Whether metrics are needed to decide. */
  public static boolean needsMetrics(AutoscalerView autoscaler, TargetScale scale) {
    int current = scale.specReplicas();
    return current != 0
        && current <= autoscaler.maxReplicas()
        && current >= autoscaler.minReplicas();
  }

  /** What to do if nobody knows how many replicas there are. */
  public static AutoscalerPlan withoutScale(
      AutoscalerView autoscaler, String why, AutoscalerHistory history, Instant now) {
    AutoscalerStatus status =
        new AutoscalerStatus(autoscaler.status())
            .isNot(
                AutoscalerStatus.ABLE_TO_SCALE,
                FAILED_GET_SCALE,
                "the HPA controller was unable to get the target's current scale: " + why,
                now);
    return new AutoscalerPlan(
        0,
        0,
        "",
        status.tree(),
        List.of(AutoscalerEvent.warning(FAILED_GET_SCALE, why)),
        List.of(),
        history,
        why);
  }

  public static AutoscalerPlan of(
      AutoscalerView autoscaler,
      TargetScale scale,
      Measurements measurements,
      AutoscalerHistory history,
      AutoscalerSettings settings,
      Instant now) {
    int current = scale.specReplicas();
    AutoscalerStatus status =
        new AutoscalerStatus(autoscaler.status())
            .is(
                AutoscalerStatus.ABLE_TO_SCALE,
                "SucceededGetScale",
                "the HPA controller was able to get the target's current scale",
                now);
    AutoscalerHistory begun = history.with(history.recommendations().begunWith(current, now));
    Draft draft = new Draft(autoscaler, scale, settings, begun, status, now);
    return switch (measurements) {
      case Measurements.NotNeeded _ when current == 0 -> draft.disabled();
      case Measurements.NotNeeded _ when current > autoscaler.maxReplicas() ->
          draft.scaled(autoscaler.maxReplicas(), ABOVE_MAXIMUM, List.of());
      case Measurements.NotNeeded _ ->
          draft.scaled(autoscaler.minReplicas(), BELOW_MINIMUM, List.of());
      case Measurements.NotSelected(TargetSelector.Invalid why) -> draft.notSelected(why);
      case Measurements.Taken taken -> draft.measured(taken);
    };
  }

  /** The target was scaled. */
  public Outcome rescaled(AutoscalerView autoscaler, Instant now) {
    AutoscalerStatus scaled =
        new AutoscalerStatus(status)
            .is(
                AutoscalerStatus.ABLE_TO_SCALE,
                "SucceededRescale",
                "the HPA controller was able to update the target scale to " + to,
                now)
            .without(SCALED_TO_ZERO)
            .counted(from, to, metrics(), Optional.of(now));
    AutoscalerBehavior behavior = autoscaler.behavior();
    return new Outcome(
        scaled.tree(),
        List.of(
            new AutoscalerEvent(
                false, "SuccessfulRescale", "New size: %d; reason: %s".formatted(to, reason))),
        behavior == null ? history : history.with(history.changes().with(from, to, behavior, now)));
  }

  /** The target could not be scaled. */
  public Outcome notRescaled(AutoscalerView autoscaler, String why, Instant now) {
    AutoscalerStatus failed =
        new AutoscalerStatus(status)
            .isNot(
                AutoscalerStatus.ABLE_TO_SCALE,
                "FailedUpdateScale",
                "the HPA controller was unable to update the target scale: " + why,
                now)
            .counted(
                from,
                new AutoscalerStatus(autoscaler.status()).desiredReplicas(),
                metrics(),
                Optional.empty());
    return new Outcome(
        failed.tree(),
        List.of(
            AutoscalerEvent.warning(
                "FailedRescale", "New size: %d; reason: %s; error: %s".formatted(to, reason, why))),
        history);
  }

  private List<JsonObject> metrics() {
    return new AutoscalerStatus(status).metrics();
  }

  /** A plan that is being made. */
  private static final class Draft {
    private final AutoscalerView autoscaler;
    private final TargetScale scale;
    private final AutoscalerSettings settings;
    private final Instant now;
    private final List<AutoscalerEvent> events = new ArrayList<>();
    private final List<Computation> computations = new ArrayList<>();
    private AutoscalerHistory history;
    private AutoscalerStatus status;
    private String failure = "";

    Draft(
        AutoscalerView autoscaler,
        TargetScale scale,
        AutoscalerSettings settings,
        AutoscalerHistory history,
        AutoscalerStatus status,
        Instant now) {
      this.autoscaler = autoscaler;
      this.scale = scale;
      this.settings = settings;
      this.history = history;
      this.status = status;
      this.now = now;
    }

    private int current() {
      return scale.specReplicas();
    }

    AutoscalerPlan disabled() {
      status =
          status
              .isNot(
                  AutoscalerStatus.SCALING_ACTIVE,
                  "ScalingDisabled",
                  "scaling is disabled since the replica count of the target is zero",
                  now)
              .without(SCALED_TO_ZERO);
      return scaled(0, "", List.of());
    }

    AutoscalerPlan notSelected(TargetSelector.Invalid why) {
      events.add(AutoscalerEvent.warning(why.event(), why.why()));
      status = status.isNot(AutoscalerStatus.SCALING_ACTIVE, why.reason(), why.message(), now);
      return notComputed(why.why(), List.of());
    }

    AutoscalerPlan measured(Measurements.Taken taken) {
      MetricEvaluation evaluation =
          new MetricEvaluation(autoscaler, scale, taken.pods(), settings, now);
      List<MetricProposal> proposals = new ArrayList<>();
      for (int i = 0; i < taken.answers().size(); i++) {
        MetricSpec metric = autoscaler.metrics().get(i);
        MetricProposal proposal = evaluation.of(metric, taken.answers().get(i));
        proposals.add(proposal);
        computations.add(
            switch (proposal) {
              case MetricProposal.Proposed proposed ->
                  new Computation(metric.type(), proposed.replicas(), "");
              case MetricProposal.Failed failed ->
                  new Computation(metric.type(), 0, failed.reason());
            });
      }
      CombinedProposal all = CombinedProposal.of(proposals, current());
      all.failures().stream()
          .map(each -> AutoscalerEvent.warning(each.reason(), each.why()))
          .forEach(events::add);
      failure = all.summary();
      if (!all.isUsable()) {
        all.failures().stream().findFirst().ifPresent(this::notActive);
        return notComputed(failure, all.statuses());
      }
      status =
          status.is(
              AutoscalerStatus.SCALING_ACTIVE,
              "ValidMetricFound",
              "the HPA was able to successfully calculate a replica count from " + all.metric(),
              now);
      String why =
          all.replicas() > current()
              ? all.metric() + " above target"
              : all.replicas() < current() ? "All metrics below target" : "";
      return scaled(normalized(all.replicas()), why, all.statuses());
    }

    private void notActive(MetricProposal.Failed first) {
      status =
          status.isNot(
              AutoscalerStatus.SCALING_ACTIVE,
              first.reason(),
              "the HPA was unable to compute the replica count: " + first.why(),
              now);
    }

    /** Within what recent recommendations, bounds and rates allow. */
    private int normalized(int wanted) {
      AutoscalerBehavior behavior = autoscaler.behavior();
      Recommendations.Windows windows =
          Recommendations.Windows.of(behavior, settings.downscaleStabilization());
      Recommendations past = history.recommendations();
      Recommendations.Stabilized stable =
          behavior == null
              ? past.highest(wanted, windows.down(), now)
              : past.within(current(), wanted, windows, now);
      history = history.with(past.with(wanted, windows, now));
      int min = autoscaler.minReplicas();
      int max = autoscaler.maxReplicas();
      status =
          stable.replicas() == wanted
              ? status.is(
                  AutoscalerStatus.ABLE_TO_SCALE,
                  "ReadyForNewScale",
                  "recommended size matches current size",
                  now)
              : status.is(AutoscalerStatus.ABLE_TO_SCALE, stable.reason(), stable.message(), now);
      ReplicaLimit limit =
          behavior == null
              ? ReplicaLimit.standard(current(), stable.replicas(), min, max)
              : ReplicaLimit.of(
                  current(), stable.replicas(), min, max, behavior, history.changes(), now);
      status =
          limit.replicas() == stable.replicas()
              ? status.isNot(AutoscalerStatus.SCALING_LIMITED, limit.reason(), limit.message(), now)
              : status.is(AutoscalerStatus.SCALING_LIMITED, limit.reason(), limit.message(), now);
      return limit.replicas();
    }

    /** The number that is wanted is not known: all stays as it is. */
    private AutoscalerPlan notComputed(String why, List<JsonObject> metrics) {
      events.add(AutoscalerEvent.warning("FailedComputeMetricsReplicas", why));
      int desired = status.desiredReplicas();
      status = status.counted(current(), desired, metrics, Optional.empty());
      return new AutoscalerPlan(
          current(), current(), "", status.tree(), events, computations, history, why);
    }

    AutoscalerPlan scaled(int desired, String why, List<JsonObject> metrics) {
      status = status.counted(current(), desired, metrics, Optional.empty());
      return new AutoscalerPlan(
          current(), desired, why, status.tree(), events, computations, history, failure);
    }
  }
}
