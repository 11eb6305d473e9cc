package dev.berth.kinds.autoscaling;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What autoscalers are filled in with, what is wrong with them, and their two forms. */
class AutoscalerRulesTest {
  private static final String TARGET =
      "'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'}";
  private final KindCheck scalers = KindCheck.of("autoscaling", "v2", "horizontalpodautoscalers");

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'maxReplicas':3|``
          'maxReplicas':3,'minReplicas':0|[spec.minReplicas: Invalid value: 0: must be greater than or equal to 1, spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas]
          'minReplicas':1|[spec.maxReplicas: Required value: must be set and greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`]
          'maxReplicas':3,'metrics':[{'type':'Pods'}]|spec.metrics[0].pods: Required value: must populate information for the given metric source
          'maxReplicas':3,'metrics':[{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization','averageUtilization':0}}}]|spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0
          'maxReplicas':3,'metrics':[{'type':'ContainerResource','containerResource':{'name':'time','container':'c','target':{'type':'Utilization','averageUtilization':1}}}]|[spec.metrics[0].containerResource.name: Invalid value: 'time': must be a standard resource type or fully qualified, spec.metrics[0].containerResource.name: Invalid value: 'time': must be a standard resource for containers]
          'maxReplicas':3,'metrics':[{'type':'External','external':{'metric':{'name':'a/b'},'target':{'type':'Share'}}}]|[spec.metrics[0].external.metric.name: Invalid value: 'a/b': may not contain '/', spec.metrics[0].external.target.type: Invalid value: 'Share': must be either Utilization, Value, or AverageValue, spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target]
          'maxReplicas':3,'behavior':{'scaleUp':{'policies':[{'type':'Half','value':0,'periodSeconds':1801}],'stabilizationWindowSeconds':3601,'selectPolicy':'Any'}}|[spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600, spec.behavior.scaleUp.selectPolicy: Unsupported value: 'Any': supported values: 'Disabled', 'Max', 'Min', spec.behavior.scaleUp.policies[0].type: Unsupported value: 'Half': supported values: 'Percent', 'Pods', spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero, spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800]
          """)
  void saysWhatIsWrong(String spec, String problem) {
    assertThat(scalers.problem("'spec':{" + TARGET + "," + spec + "}")).isEqualTo(problem);
  }

  @Test
  void onlyReplicationControllersAreScaledWithoutAGroup() {
    String spec = "'spec':{'maxReplicas':1,'scaleTargetRef':{'kind':'%s','name':'d'}}";
    assertThat(scalers.problem(spec.formatted("ReplicationController"))).isEmpty();
    assertThat(scalers.problem(spec.formatted("Deployment")))
        .isEqualTo(
            "spec.scaleTargetRef.apiVersion: Invalid value: '': apiVersion must specify API group");
    // It stays as it was: whoever wrote it may not know better, and it did work before.
    assertThat(scalers.problemOfChange(spec.formatted("Deployment"), spec.formatted("Deployment")))
        .isEmpty();
  }

  @Test
  void isFilledIn() {
    JsonObject spec =
        scalers.filled("'spec':{'maxReplicas':3,'behavior':{'scaleDown':{}}}").object("spec");
    assertThat(spec.toString())
        .contains("\"minReplicas\":1")
        .contains("\"averageUtilization\":80")
        .contains(
            "\"scaleUp\":{\"stabilizationWindowSeconds\":0,\"selectPolicy\":\"Max\",\"policies\":"
                + "[{\"type\":\"Pods\",\"value\":4,\"periodSeconds\":15},"
                + "{\"type\":\"Percent\",\"value\":100,\"periodSeconds\":15}]}");
  }

  @Test
  void theOlderFormLosesNothing() {
    JsonObject newer =
        tree(
            "{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'x'},"
                + "'spec':{'maxReplicas':3,"
                + TARGET
                + ",'metrics':[{'type':'Pods','pods':{'metric':{'name':'m'},'target':"
                + "{'type':'AverageValue','averageValue':'5'}}},"
                + "{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
                + "'averageUtilization':70}}}],'behavior':{'scaleUp':{'selectPolicy':'Min',"
                + "'policies':[{'type':'Pods','value':1,'periodSeconds':60}]}}},"
                + "'status':{'currentReplicas':1,'conditions':[{'type':'AbleToScale','status':"
                + "'True'}]}}");
    JsonObject older = AutoscalerForms.fromNewer(newer);
    assertThat(older.text("apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(older.object("spec").integer("targetCPUUtilizationPercentage")).hasValue(70);
    assertThat(older.object("metadata").object("annotations").names())
        .containsExactlyInAnyOrder(
            "autoscaling.alpha.kubernetes.io/metrics",
            "autoscaling.alpha.kubernetes.io/behavior",
            "autoscaling.alpha.kubernetes.io/conditions");
    assertThat(AutoscalerForms.toNewer(older)).isEqualTo(newer);
  }

  /** The annotation is a text, so the order of its fields is what clients of Kubernetes know. */
  @Test
  void metricsInAnnotationsHaveTheirFieldsInKubernetesOrder() {
    JsonObject newer =
        tree(
            "{'metadata':{'name':'x'},'spec':{'maxReplicas':3,'metrics':["
                + "{'type':'Pods','pods':{'metric':{'name':'m','selector':{'matchLabels':{'a':'b'}}},"
                + "'target':{'type':'AverageValue','averageValue':'1'}}},"
                + "{'type':'ContainerResource','containerResource':{'name':'cpu','container':'c',"
                + "'target':{'type':'Utilization','averageUtilization':50}}}]}}");
    assertThat(
            AutoscalerForms.fromNewer(newer)
                .object("metadata")
                .object("annotations")
                .text("autoscaling.alpha.kubernetes.io/metrics", "")
                .replace('"', '\''))
        .isEqualTo(
            "[{'type':'Pods','pods':{'metricName':'m','targetAverageValue':'1','selector':"
                + "{'matchLabels':{'a':'b'}}}},{'type':'ContainerResource','containerResource':"
                + "{'name':'cpu','targetAverageUtilization':50,'container':'c'}}]");
  }

  @Test
  void anAnnotationThatIsNotOfItsFormSaysNothing() {
    JsonObject older =
        tree(
            "{'apiVersion':'autoscaling/v1','kind':'HorizontalPodAutoscaler','metadata':{'name':'x',"
                + "'annotations':{'autoscaling.alpha.kubernetes.io/metrics':'[{\\'type\\':5}]',"
                + "'autoscaling.alpha.kubernetes.io/behavior':'nonsense','own':'kept'}},"
                + "'spec':{'maxReplicas':3}}");
    JsonObject newer = AutoscalerForms.toNewer(older);
    assertThat(newer.object("metadata").object("annotations").names()).containsExactly("own");
    assertThat(newer.object("spec").array("metrics").size()).isEqualTo(1);
    assertThat(newer.object("spec").has("behavior")).isFalse();
  }
}
