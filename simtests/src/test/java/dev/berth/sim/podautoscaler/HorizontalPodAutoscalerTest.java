package dev.berth.sim.podautoscaler;

import static dev.berth.sim.VirtualCluster.tree;
import static dev.berth.sim.podautoscaler.AutoscalerFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerController;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Autoscalers in a whole cluster, with metrics that the test makes up. */
class HorizontalPodAutoscalerTest {
  private final AutoscalerFixture cluster = new AutoscalerFixture();

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Half of what is requested should be used: 250m of each pod's 500m. */
  @Test
  void replicasFollowTheLoadUpAtOnceAndDownAfterFiveMinutes() {
    cluster.deploy("web", 2);
    cluster.metrics.load("web", 500);
    cluster.autoscale("web", "web", 1, 10, "");
    cluster.advance(400);
    assertThat(cluster.replicas("web")).isEqualTo(2);
    assertThat(cluster.status("web").array("currentMetrics").objects())
        .containsExactly(
            tree(
                "{'type':'Resource','resource':{'name':'cpu','current':{'averageUtilization':50,"
                    + "'averageValue':'250m'}}}"));

    cluster.metrics.load("web", 1600);
    cluster.advance(16);
    assertThat(cluster.replicas("web")).as("twice as many at a time").isEqualTo(4);
    assertThat(cluster.condition("web", "ScalingLimited")).startsWith("True ScaleUpLimit: ");
    // The new pods use nothing that counts until they have been up for a while.
    cluster.advance(60);
    assertThat(cluster.replicas("web")).isEqualTo(7);
    assertThat(cluster.condition("web", "ScalingActive")).startsWith("True ValidMetricFound: ");
    assertThat(cluster.events("web", "SuccessfulRescale"))
        .contains(
            "New size: 4; reason: cpu resource utilization (percentage of request) above target",
            "New size: 7; reason: cpu resource utilization (percentage of request) above target");

    cluster.advance(300);
    cluster.metrics.load("web", 250);
    cluster.advance(290);
    assertThat(cluster.replicas("web")).isEqualTo(7);
    assertThat(cluster.condition("web", "AbleToScale"))
        .isEqualTo(
            "True ScaleDownStabilized: recent recommendations were higher than current one,"
                + " applying the highest recent recommendation");
    cluster.advance(30);
    assertThat(cluster.replicas("web")).isEqualTo(1);
    assertThat(cluster.events("web", "SuccessfulRescale"))
        .contains("New size: 1; reason: All metrics below target");
  }

  @Test
  void policiesLimitHowFastItGoes() {
    cluster.deploy("web", 1);
    cluster.metrics.load("web", 5000);
    cluster.autoscale(
        "web",
        "web",
        1,
        10,
        ",'behavior':{'scaleUp':{'policies':[{'type':'Pods','value':1,'periodSeconds':60}]},"
            + "'scaleDown':{'stabilizationWindowSeconds':0,'policies':[{'type':'Pods','value':2,"
            + "'periodSeconds':60}]}}");
    cluster.advance(16);
    assertThat(cluster.replicas("web")).isEqualTo(2);
    cluster.advance(45);
    assertThat(cluster.replicas("web")).isEqualTo(2);
    cluster.advance(300);
    assertThat(cluster.replicas("web")).isBetween(6L, 8L);

    cluster.advance(600);
    assertThat(cluster.replicas("web")).isEqualTo(10);
    cluster.metrics.load("web", 0);
    cluster.advance(16);
    assertThat(cluster.replicas("web")).isEqualTo(8);
    assertThat(cluster.condition("web", "ScalingLimited"))
        .isEqualTo(
            "True ScaleDownLimit: the desired replica count is decreasing faster than the maximum"
                + " scale rate");
    cluster.advance(300);
    assertThat(cluster.replicas("web")).isEqualTo(1);
  }

  @Test
  void missingMetricsStopItAndLackingOnesHoldItUp() {
    cluster.deploy("web", 2);
    cluster.autoscale("web", "web", 1, 10, "");
    cluster.advance(60);
    assertThat(cluster.replicas("web")).isEqualTo(2);
    String why =
        "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch"
            + " metrics from resource metrics API: the server could not find the requested resource"
            + " (get pods.metrics.k8s.io)";
    assertThat(cluster.condition("web", "ScalingActive"))
        .isEqualTo(
            "False FailedGetResourceMetric: the HPA was unable to compute the replica count: "
                + why);
    assertThat(cluster.events("web", "FailedGetResourceMetric")).containsExactly(why);
    assertThat(cluster.events("web", "FailedComputeMetricsReplicas"))
        .containsExactly(
            "invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource"
                + " metric value: "
                + why);

    cluster.advance(400);
    List<String> pods = names();
    cluster.metrics.miss(pods.getFirst());
    cluster.metrics.load("web", 900);
    cluster.advance(16);
    assertThat(cluster.replicas("web"))
        .as("one uses 90 %, the other is taken to use nothing: all is well")
        .isEqualTo(2);
    cluster.metrics.missNothing();
    cluster.advance(16);
    assertThat(cluster.replicas("web")).isEqualTo(4);
  }

  private List<String> names() {
    return cluster.cluster.list(Resources.PODS).stream()
        .map(pod -> Metadata.of(pod).name())
        .toList();
  }

  @Test
  void aTargetThatIsNotThereIsSaidToBe() {
    cluster.autoscale("none", "none", 1, 10, "");
    cluster.create(
        "odd", "{'apiVersion':'example.com/v1','kind':'Odd','name':'x'}", "'maxReplicas':3");
    cluster.advance(16);

    assertThat(cluster.condition("none", "AbleToScale"))
        .isEqualTo(
            "False FailedGetScale: the HPA controller was unable to get the target's current"
                + " scale: deployments.apps \"none\" not found");
    assertThat(cluster.events("none", "FailedGetScale"))
        .containsExactly("deployments.apps \"none\" not found");
    assertThat(cluster.condition("odd", "AbleToScale"))
        .isEqualTo(
            "False FailedGetScale: the HPA controller was unable to get the target's current"
                + " scale: no matches for kind \"Odd\" in group \"example.com\"");

    cluster.deploy("none", 1);
    cluster.metrics.load("none", 250);
    cluster.advance(60);
    assertThat(cluster.condition("none", "AbleToScale")).startsWith("True ");
    assertThat(cluster.condition("none", "ScalingActive")).startsWith("True ValidMetricFound");
  }

  @Test
  void twoAutoscalersOfTheSamePodsScaleNothing() {
    cluster.deploy("web", 2);
    cluster.metrics.load("web", 3000);
    cluster.autoscale("first", "web", 1, 10, "");
    cluster.autoscale("second", "web", 1, 10, "");
    cluster.advance(14);
    cluster.advance(60);

    String why =
        "pods by selector app=web are controlled by multiple HPAs: [{first default} {second"
            + " default}]";
    assertThat(cluster.condition("second", "ScalingActive"))
        .isEqualTo("False AmbiguousSelector: " + why);
    assertThat(cluster.events("second", "AmbiguousSelector")).containsExactly(why);
    long before = cluster.replicas("web");
    cluster.advance(120);
    assertThat(cluster.replicas("web")).isEqualTo(before);

    cluster.cluster.delete(
        Resources.HORIZONTAL_POD_AUTOSCALERS, new ObjectName("default", "first"));
    cluster.advance(120);
    assertThat(cluster.replicas("web")).isGreaterThan(before);
  }

  @Test
  void replicasAreBroughtIntoBoundsAndLeftAtNone() {
    cluster.deploy("web", 1);
    cluster.autoscale("web", "web", 3, 5, "");
    cluster.advance(16);
    assertThat(cluster.replicas("web")).isEqualTo(3);
    assertThat(cluster.events("web", "SuccessfulRescale"))
        .containsExactly("New size: 3; reason: Current number of replicas below Spec.MinReplicas");

    cluster.cluster.patch(Resources.DEPLOYMENTS, WEB, "{'spec':{'replicas':9}}");
    cluster.advance(16);
    assertThat(cluster.replicas("web")).isEqualTo(5);

    cluster.cluster.patch(Resources.DEPLOYMENTS, WEB, "{'spec':{'replicas':0}}");
    cluster.advance(300);
    assertThat(cluster.replicas("web")).isZero();
    assertThat(cluster.condition("web", "ScalingActive"))
        .isEqualTo(
            "False ScalingDisabled: scaling is disabled since the replica count of the target is"
                + " zero");
  }

  @Test
  void otherMetricsCountAsWell() {
    cluster.deploy("web", 2);
    cluster.advance(10);
    cluster.create(
        "web",
        "{'apiVersion':'apps/v1','kind':'Deployment','name':'web'}",
        "'maxReplicas':20,'metrics':["
            + "{'type':'Object','object':{'metric':{'name':'requests'},'describedObject':"
            + "{'apiVersion':'v1','kind':'Service','name':'web'},'target':{'type':'Value','value':"
            + "'10'}}},"
            + "{'type':'Pods','pods':{'metric':{'name':'sessions','selector':{'matchLabels':{'a':"
            + "'b'}}},'target':{'type':'AverageValue','averageValue':'5'}}},"
            + "{'type':'External','external':{'metric':{'name':'queue','selector':{'matchLabels':"
            + "{'q':'main'}}},'target':{'type':'AverageValue','averageValue':'30'}}}]");
    cluster.metrics.value("services/web/requests", "15");
    names().forEach(pod -> cluster.metrics.value("pods/" + pod + "/sessions", "5"));
    cluster.metrics.value("queue", "60");
    cluster.advance(16);
    assertThat(cluster.replicas("web")).as("half more requests than there should be").isEqualTo(3);
    assertThat(cluster.events("web", "SuccessfulRescale"))
        .containsExactly("New size: 3; reason: Service metric requests above target");
    assertThat(cluster.metrics.asked())
        .contains(
            "services.custom.metrics.k8s.io default/web/requests {metricLabelSelector=}",
            "pods.custom.metrics.k8s.io default/*/sessions {labelSelector=app=web,"
                + " metricLabelSelector=a=b}",
            "queue q=main");

    cluster.metrics.value("services/web/requests", "10");
    cluster.metrics.value("queue", "100");
    cluster.advance(16);
    assertThat(cluster.replicas("web")).as("a hundred in the queue, thirty each").isEqualTo(4);
  }

  /** Its pods are those that the scale of a custom resource selects. */
  @Test
  void customResourcesAreScaled() {
    cluster.cluster.create(
        new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions"),
        "{'metadata':{'name':'flocks.farm.example'},'spec':{'group':'farm.example','scope':"
            + "'Namespaced','names':{'plural':'flocks','singular':'flock','kind':'Flock',"
            + "'listKind':'FlockList'},'versions':[{'name':'v1','served':true,'storage':true,"
            + "'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.size',"
            + "'statusReplicasPath':'.status.size','labelSelectorPath':'.status.selector'}},"
            + "'schema':{'openAPIV3Schema':{'type':'object',"
            + "'x-kubernetes-preserve-unknown-fields':true}}}]}}");
    cluster.advance(5);
    GroupVersionResource flocks = new GroupVersionResource("farm.example", "v1", "flocks");
    ObjectName dolly = new ObjectName("default", "dolly");
    cluster.cluster.create(
        flocks,
        "{'kind':'Flock','apiVersion':'farm.example/v1','metadata':{'namespace':'default','name':"
            + "'dolly'},'spec':{'size':2}}");
    cluster.deploy("sheep", 2);
    cluster.create(
        "dolly",
        "{'apiVersion':'farm.example/v1','kind':'Flock','name':'dolly'}",
        "'maxReplicas':10,'metrics':[" + AutoscalerFixture.CPU + "]");
    cluster.metrics.load("sheep", 1000);
    cluster.advance(16);
    assertThat(cluster.condition("dolly", "ScalingActive"))
        .isEqualTo("False InvalidSelector: the HPA target's scale is missing a selector");
    assertThat(cluster.events("dolly", "SelectorRequired")).containsExactly("selector is required");

    cluster.cluster.patchStatus(flocks, dolly, "{'status':{'size':2,'selector':'app=sheep'}}");
    cluster.advance(400);
    JsonObject flock = cluster.cluster.list(flocks).stream().findFirst().orElseThrow();
    assertThat(flock.object("spec").integer("size")).hasValue(4);
  }

  /** Most clusters have no autoscaler, and should not pay for what they might have. */
  @Test
  void podsAreFollowedOnlyWhileThereIsAnAutoscaler() {
    List<String> asked = new ArrayList<>();
    Api recording =
        new Recording(
            cluster.cluster.parts(HorizontalPodAutoscalerController.ACCOUNT).api(), asked);
    try (var _ =
        HorizontalPodAutoscalerController.start(
            new ControllerParts(recording, cluster.cluster.time(), new Metrics(), _ -> {}),
            HorizontalPodAutoscalerSettings.DEFAULT)) {
      cluster.deploy("web", 2);
      cluster.advance(60);
      assertThat(asked)
          .containsExactly("list horizontalpodautoscalers", "watch horizontalpodautoscalers");

      cluster.autoscale("web", "web", 1, 10, "");
      cluster.advance(5);
      assertThat(asked).contains("list pods", "watch pods");

      cluster.cluster.delete(Resources.HORIZONTAL_POD_AUTOSCALERS, WEB);
      cluster.advance(60);
      asked.clear();
      cluster.deploy("other", 3);
      cluster.advance(60);
      assertThat(asked).isEmpty();
    }
  }

  private record Recording(Api real, List<String> asked) implements Api {
    @Override
    public ApiResult send(ApiRequest request) {
      asked.add("send " + request);
      return real.send(request);
    }

    @Override
    public ListResult list(ListRequest request) {
      asked.add("list " + request.resource().resource());
      return real.list(request);
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      asked.add("watch " + request.resource().resource());
      return real.watch(request, onReady);
    }
  }
}
