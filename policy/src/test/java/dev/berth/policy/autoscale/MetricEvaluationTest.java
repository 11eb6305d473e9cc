package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.model.autoscaling.TargetScale;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricEvaluationTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final MetricAnswer FAILED = new MetricAnswer.Failed("E");
  private static final MetricAnswer POD_USAGE =
      new MetricAnswer.OfPods(
          Map.of(
              "p0", new PodMetric(NOW, Duration.ofSeconds(10), 600),
              "p1", new PodMetric(NOW, Duration.ofSeconds(10), 1000)));
  private static final MetricAnswer VALUES = new MetricAnswer.Values(List.of(6000L, 2000L));

  private static MetricProposal evaluate(String metric, MetricAnswer answer) {
    AutoscalerView view =
        AutoscalerView.read(
            tree("{'metadata':{'namespace':'ns'},'spec':{'metrics':[%s]}}".formatted(metric)));
    List<MeasuredPod> pods =
        IntStream.range(0, 2)
            .mapToObj(i ->
                MeasuredPod.read(
                    pod("p" + i)
                        .on("n")
                        .with("spec.containers", JsonArray.of(container("a"), container("b")))
                        .with("status.startTime", NOW.minusSeconds(3600).toString())
                        .with(
                            "status.conditions",
                            JsonArray.of(
                                object("type", "Ready", "status", "True")
                                    .with("lastTransitionTime", "2026-01-01T00:30:00Z")))
                        .tree()))
            .toList();
    return new MetricEvaluation(
            view, new TargetScale(2, 2, "a=b"), pods, AutoscalerSettings.DEFAULT, NOW)
        .of(view.metrics().getFirst(), answer);
  }

  private static JsonObject container(String name) {
    return tree(
        "{'name':'%s','resources':{'requests':{'cpu':'1','memory':'1Mi'}}}".formatted(name));
  }

  private static final String RESOURCE =
      "{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
          + "'averageUtilization':20}}}";
  private static final String MEMORY =
      "{'type':'Resource','resource':{'name':'memory','target':{'type':'AverageValue',"
          + "'averageValue':'400m'}}}";
  private static final String CONTAINER =
      "{'type':'ContainerResource','containerResource':{'name':'cpu','container':'a','target':"
          + "{'type':'Utilization','averageUtilization':40}}}";
  private static final String PODS =
      "{'type':'Pods','pods':{'metric':{'name':'qps','selector':{'matchLabels':{'x':'y'}}},"
          + "'target':{'type':'AverageValue','averageValue':'400m'}}}";
  private static final String OBJECT =
      "{'type':'Object','object':{'metric':{'name':'qps'},'describedObject':{'apiVersion':"
          + "'networking.k8s.io/v1','kind':'Ingress','name':'main'},'target':%s}}";
  private static final String EXTERNAL =
      "{'type':'External','external':{'metric':{'name':'queue'},'target':%s}}";
  private static final String VALUE = "{'type':'Value','value':'4'}";
  private static final String AVERAGE = "{'type':'AverageValue','averageValue':'2'}";

  private static String metric(String name) {
    return switch (name) {
      case "resource" -> RESOURCE;
      case "memory" -> MEMORY;
      case "container" -> CONTAINER;
      case "pods" -> PODS;
      case "object" -> OBJECT.formatted(VALUE);
      case "object average" -> OBJECT.formatted(AVERAGE);
      case "external" -> EXTERNAL.formatted(VALUE);
      case "external average" -> EXTERNAL.formatted(AVERAGE);
      default -> "{'type':'" + name + "'}";
    };
  }

  private static MetricAnswer answer(String name) {
    return name.startsWith("object") || name.startsWith("external") ? VALUES : POD_USAGE;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "resource | 4 | cpu resource utilization (percentage of request)"
            + " | {'type':'Resource','resource':{'name':'cpu','current':{'averageUtilization':40,"
            + "'averageValue':'800m'}}}",
        "memory | 4 | memory resource"
            + " | {'type':'Resource','resource':{'name':'memory','current':{'averageValue':'800m'}}}",
        "container | 4 | cpu container resource utilization (percentage of request)"
            + " | {'type':'ContainerResource','containerResource':{'name':'cpu','container':'a',"
            + "'current':{'averageUtilization':80,'averageValue':'800m'}}}",
        "pods | 4 | pods metric qps"
            + " | {'type':'Pods','pods':{'metric':{'name':'qps','selector':{'matchLabels':{'x':"
            + "'y'}}},'current':{'averageValue':'800m'}}}",
        "object | 4 | Ingress metric qps"
            + " | {'type':'Object','object':{'metric':{'name':'qps'},'current':{'value':'8'},"
            + "'describedObject':{'apiVersion':'networking.k8s.io/v1','kind':'Ingress',"
            + "'name':'main'}}}",
        "object average | 4 | external metric qps(nil)"
            + " | {'type':'Object','object':{'metric':{'name':'qps'},'current':{'averageValue':"
            + "'4'},'describedObject':{'apiVersion':'networking.k8s.io/v1','kind':'Ingress',"
            + "'name':'main'}}}",
        "external | 4 | external metric queue(nil)"
            + " | {'type':'External','external':{'metric':{'name':'queue'},'current':{'value':"
            + "'8'}}}",
        "external average | 4 | external metric queue(nil)"
            + " | {'type':'External','external':{'metric':{'name':'queue'},'current':"
            + "{'averageValue':'4'}}}",
      })
  void proposes(String name, int replicas, String words, String status) {
    assertThat(evaluate(metric(name), answer(name)))
        .isEqualTo(new MetricProposal.Proposed(replicas, words, tree(status)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "resource | FailedGetResourceMetric | failed to get cpu utilization: unable to get metrics"
            + " for resource cpu: E | failed to get cpu resource metric value: ",
        "memory | FailedGetResourceMetric | failed to get memory usage: unable to get metrics for"
            + " resource memory: E | failed to get memory resource metric value: ",
        "container | FailedGetContainerResourceMetric | failed to get cpu utilization: unable to"
            + " get metrics for resource cpu: E | failed to get a container metric value: ",
        "pods | FailedGetPodsMetric | unable to get metric qps: E | failed to get pods metric"
            + " value: ",
        "object | FailedGetObjectMetric | unable to get metric qps: Ingress on ns main/E | failed"
            + " to get object metric value: ",
        "object average | FailedGetObjectMetric | unable to get metric qps: Ingress on ns main/E |"
            + " failed to get object metric value: failed to get qps object metric: ",
        "external | FailedGetExternalMetric | unable to get external metric ns/queue/nil: E |"
            + " failed to get queue external metric value: failed to get external metric queue: ",
        "external average | FailedGetExternalMetric | unable to get external metric ns/queue/nil:"
            + " E | failed to get queue external metric value: failed to get queue external"
            + " metric: ",
        "Dance | InvalidMetricSourceType | unknown metric source type \"\"Dance\"\" | ",
      })
  void failsInUpstreamsWords(String name, String reason, String why, String context) {
    assertThat(evaluate(metric(name), FAILED))
        .isInstanceOfSatisfying(
            MetricProposal.Failed.class,
            failed -> {
              assertThat(failed.reason()).isEqualTo(reason);
              assertThat(failed.why()).isEqualTo(why.replace("\"\"", "\""));
              assertThat(failed.context().strip()).isEqualTo(context == null ? "" : context);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'type':'Resource','resource':{'name':'cpu'}} | invalid resource metric source: neither an"
            + " average utilization target nor an average value (usage) target was set",
        "{'type':'Object','object':{'metric':{'name':'m'}}} | invalid object metric source: neither"
            + " a value target nor an average value target was set",
        "{'type':'External','external':{'metric':{'name':'m'}}} | invalid external metric source:"
            + " neither a value target nor an average value target was set",
      })
  void needsATarget(String metric, String why) {
    assertThat(evaluate(metric, FAILED))
        .isInstanceOfSatisfying(
            MetricProposal.Failed.class, failed -> assertThat(failed.why()).isEqualTo(why));
  }
}
