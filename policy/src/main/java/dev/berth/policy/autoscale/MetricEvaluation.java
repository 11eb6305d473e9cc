package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.model.autoscaling.MetricSpec;
import dev.berth.model.autoscaling.MetricSpec.Source;
import dev.berth.model.autoscaling.SelectorWords;
import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Evaluates the metrics of an autoscaler, each by what its kind of target means. */
final class MetricEvaluation {
  private final AutoscalerView autoscaler;
  private final TargetScale scale;
  private final Collection<MeasuredPod> pods;
  private final AutoscalerSettings settings;
  private final Tolerances tolerances;
  private final Instant now;

  /**
   * @param pods those of the target
   */
  MetricEvaluation(
      AutoscalerView autoscaler,
      TargetScale scale,
      Collection<MeasuredPod> pods,
      AutoscalerSettings settings,
      Instant now) {
    this.autoscaler = autoscaler;
    this.scale = scale;
    this.pods = pods;
    this.settings = settings;
    this.tolerances = Tolerances.of(autoscaler.behavior(), settings.tolerance());
    this.now = now;
  }

  MetricProposal of(MetricSpec metric, MetricAnswer answer) {
    return switch (metric.source()) {
      case RESOURCE, CONTAINER_RESOURCE -> resource(metric, answer);
      case PODS -> pods(metric, answer);
      case OBJECT -> object(metric, answer);
      case EXTERNAL -> external(metric, answer);
      case null ->
          new MetricProposal.Failed(
              "InvalidMetricSourceType", "unknown metric source type \"" + metric.type() + '"', "");
    };
  }

  private MetricProposal resource(MetricSpec metric, MetricAnswer answer) {
    String name = metric.name();
    boolean isContainer = metric.source() == Source.CONTAINER_RESOURCE;
    String reason = isContainer ? "FailedGetContainerResourceMetric" : "FailedGetResourceMetric";
    String context =
        isContainer
            ? "failed to get " + metric.container() + " container metric value: "
            : "failed to get " + name + " resource metric value: ";
    Quantity averageValue = metric.target().averageValue();
    if (averageValue == null && metric.target().averageUtilization().isEmpty()) {
      return new MetricProposal.Failed(
          reason,
          "invalid resource metric source: neither an average utilization target nor an average"
              + " value (usage) target was set",
          context);
    }
    String measure = averageValue == null ? "utilization" : "usage";
    return switch (resourceCount(metric, answer, averageValue != null)) {
      case ReplicaCount.Unknown(String why) ->
          new MetricProposal.Failed(
              reason, "failed to get " + name + " " + measure + ": " + why, context);
      case ReplicaCount.Known known -> {
        QuantityFormat format =
            name.equals(ResourceList.MEMORY) ? QuantityFormat.BINARY_SI : QuantityFormat.DECIMAL_SI;
        JsonObject.Builder current = new JsonObject.Builder();
        known.utilization().ifPresent(it -> current.put("averageUtilization", (long) it));
        current.put("averageValue", Quantity.ofMillis(known.usage(), format).toString());
        JsonObject about = JsonObject.of("name", name);
        about = isContainer ? about.with("container", metric.container()) : about;
        yield proposed(
            known,
            name + described(isContainer, averageValue != null),
            metric,
            about.with("current", current.build()));
      }
    };
  }

  private static String described(boolean isContainer, boolean isValue) {
    return isValue
        ? " resource"
        : (isContainer ? " container" : "") + " resource utilization (percentage of request)";
  }

  private ReplicaCount resourceCount(MetricSpec metric, MetricAnswer answer, boolean isValue) {
    return ofPods(
        answer,
        "unable to get metrics for resource " + metric.name() + ": ",
        metric.name().equals(ResourceList.CPU),
        question ->
            isValue
                ? byAverage(question, metric.target().averageValue())
                : PodMetricReplicas.byUtilization(
                    question,
                    metric.target().averageUtilization().orElse(0),
                    metric.name(),
                    metric.container(),
                    settings,
                    now));
  }

  private ReplicaCount byAverage(PodMetricReplicas.Question question, @Nullable Quantity target) {
    return PodMetricReplicas.byAverage(question, millis(target), settings, now);
  }

  private static long millis(@Nullable Quantity quantity) {
    return quantity == null ? 0 : quantity.milliValue();
  }

  private ReplicaCount ofPods(
      MetricAnswer answer,
      String failing,
      boolean isCpu,
      Function<PodMetricReplicas.Question, ReplicaCount> count) {
    return switch (answer) {
      case MetricAnswer.OfPods(var metrics) ->
          count.apply(
              new PodMetricReplicas.Question(
                  scale.specReplicas(), pods, metrics, isCpu, tolerances));
      case MetricAnswer.Failed(String why) -> new ReplicaCount.Unknown(failing + why);
      case MetricAnswer.Values _ -> throw new IllegalArgumentException("values of no pods");
    };
  }

  private MetricProposal pods(MetricSpec metric, MetricAnswer answer) {
    ReplicaCount count =
        ofPods(
            answer,
            "unable to get metric " + metric.name() + ": ",
            false,
            question -> byAverage(question, metric.target().averageValue()));
    return switch (count) {
      case ReplicaCount.Unknown(String why) ->
          new MetricProposal.Failed(
              "FailedGetPodsMetric", why, "failed to get pods metric value: ");
      case ReplicaCount.Known known ->
          proposed(
              known,
              "pods metric " + metric.name(),
              metric,
              JsonObject.of("metric", identifier(metric))
                  .with("current", current("averageValue", known)));
    };
  }

  private MetricProposal object(MetricSpec metric, MetricAnswer answer) {
    String kind = metric.object().kind();
    // The order of the words is upstream's.
    String failing =
        "unable to get metric %s: %s on %s %s/"
            .formatted(metric.name(), kind, autoscaler.namespace(), metric.object().name());
    boolean isAverage = metric.target().type().equals("AverageValue");
    Quantity target = isAverage ? metric.target().averageValue() : metric.target().value();
    String context = "failed to get object metric value: ";
    if (target == null) {
      return new MetricProposal.Failed("FailedGetObjectMetric", noTarget("object"), context);
    }
    return switch (ofValues(answer, failing, isAverage, target)) {
      case ReplicaCount.Unknown(String why) ->
          new MetricProposal.Failed(
              "FailedGetObjectMetric",
              why,
              isAverage
                  ? context + "failed to get " + metric.name() + " object metric: "
                  : context);
      case ReplicaCount.Known known ->
          proposed(
              known,
              isAverage ? external(metric) : kind + " metric " + metric.name(),
              metric,
              JsonObject.of("metric", identifier(metric))
                  .with("current", current(isAverage ? "averageValue" : "value", known))
                  .with("describedObject", metric.describedObject()));
    };
  }

  private MetricProposal external(MetricSpec metric, MetricAnswer answer) {
    String name = metric.name();
    boolean isAverage = metric.target().averageValue() != null;
    Quantity target = isAverage ? metric.target().averageValue() : metric.target().value();
    String context = "failed to get " + name + " external metric value: ";
    if (target == null) {
      return new MetricProposal.Failed("FailedGetExternalMetric", noTarget("external"), context);
    }
    String failing =
        "unable to get external metric %s/%s/%s: "
            .formatted(autoscaler.namespace(), name, SelectorWords.of(metric.selector()));
    return switch (ofValues(answer, failing, isAverage, target)) {
      case ReplicaCount.Unknown(String why) ->
          new MetricProposal.Failed(
              "FailedGetExternalMetric",
              why,
              context
                  + (isAverage
                      ? "failed to get " + name + " external metric: "
                      : "failed to get external metric " + name + ": "));
      case ReplicaCount.Known known ->
          proposed(
              known,
              external(metric),
              metric,
              JsonObject.of("metric", identifier(metric))
                  .with("current", current(isAverage ? "averageValue" : "value", known)));
    };
  }

  private static String external(MetricSpec metric) {
    return "external metric %s(%s)".formatted(metric.name(), SelectorWords.of(metric.selector()));
  }

  private static String noTarget(String source) {
    return "invalid "
        + source
        + " metric source: neither a value target nor an average value target was set";
  }

  private ReplicaCount ofValues(
      MetricAnswer answer, String failing, boolean isAverage, Quantity target) {
    return switch (answer) {
      case MetricAnswer.Values(var values) -> {
        long usage = ValueReplicas.sum(values);
        yield isAverage
            ? ValueReplicas.byAverage(
                scale.statusReplicas(), usage, target.milliValue(), tolerances)
            : ValueReplicas.byValue(
                scale.specReplicas(), usage, target.milliValue(), pods, tolerances);
      }
      case MetricAnswer.Failed(String why) -> new ReplicaCount.Unknown(failing + why);
      case MetricAnswer.OfPods _ -> throw new IllegalArgumentException("values of pods");
    };
  }

  private static JsonObject identifier(MetricSpec metric) {
    JsonObject name = JsonObject.of("name", metric.name());
    JsonObject selector = metric.selector();
    return selector == null ? name : name.with("selector", selector);
  }

  private static JsonObject current(String field, ReplicaCount.Known known) {
    return JsonObject.of(field, Quantity.ofMillis(known.usage()).toString());
  }

  private static MetricProposal proposed(
      ReplicaCount.Known known, String words, MetricSpec metric, JsonObject about) {
    Source source = metric.source();
    String field = source == null ? "" : source.field();
    return new MetricProposal.Proposed(
        known.replicas(), words, JsonObject.of("type", metric.type()).with(field, about));
  }
}
