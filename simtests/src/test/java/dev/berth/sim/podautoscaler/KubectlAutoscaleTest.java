package dev.berth.sim.podautoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.metrics.Metrics;
import dev.berth.policy.autoscale.AutoscalerSettings;
import dev.berth.sim.WithServedCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Autoscalers over HTTPS, with {@code kubectl}. */
class KubectlAutoscaleTest extends WithServedCluster {
  private static final Duration OFTEN = Duration.ofMillis(300);
  private final FakeMetrics metrics = new FakeMetrics();

  private void start() {
    cluster.schedule();
    Api api = metrics.beside(cluster.api(), cluster::time);
    cluster.run(
        HollowNodes.start(
            new HollowNodes.Parts(api, cluster.time(), new Metrics(), HollowSettings.of(2))));
    cluster.run(
        Controllers.run(
            cluster.supervisor(),
            new Controllers.Parts(_ -> api, api, new Metrics()),
            ControllerSettings.standard()
                .autoscaling(
                    new HorizontalPodAutoscalerSettings(
                        OFTEN,
                        1,
                        new AutoscalerSettings(
                            Duration.ZERO, 0.1, Duration.ofMillis(1), Duration.ofMillis(1))))));
  }

  @Test
  void anAutoscalerIsMadeLookedAtAndScales() {
    metrics.load("web", 600);
    start();
    String deployment =
        kubectl.file(
            "web.yaml",
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 2
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers: [{name: c, image: i, resources: {requests: {cpu: 200m}}}]
            """);
    kubectl.run("apply", "-f", deployment);
    assertThat(
            kubectl.run("autoscale", "deployment", "web", "--cpu-percent=50", "--min=2", "--max=8"))
        .contains("horizontalpodautoscaler.autoscaling/web autoscaled");
    assertThat(
            kubectl.run(
                "wait", "deployment/web", "--for=jsonpath={.spec.replicas}=6", "--timeout=3m"))
        .contains("condition met");
    kubectl.run("wait", "hpa/web", "--for=jsonpath={.status.currentReplicas}=6", "--timeout=3m");
    kubectl.run(
        "wait",
        "hpa/web",
        "--for=jsonpath={.status.currentMetrics[0].resource.current.averageUtilization}=50",
        "--timeout=3m");

    assertThat(kubectl.run("get", "hpa", "web"))
        .containsPattern("web +Deployment/web +cpu: 50%/50% +2 +8 +6 ");
    assertThat(kubectl.run("describe", "hpa", "web"))
        .containsPattern("resource cpu on pods +\\(as a percentage of request\\): +50% .* / 50%")
        .containsPattern("Deployment pods: +6 current / 6 desired")
        .containsPattern("AbleToScale +True +ReadyForNewScale +recommended size matches")
        .containsPattern("ScalingActive +True +ValidMetricFound +the HPA was able to")
        .containsPattern("ScalingLimited +False +DesiredWithinRange +the desired count is within")
        .containsPattern("Normal +SuccessfulRescale .* horizontal-pod-autoscaler +New size: ");
    assertThat(
            kubectl.run(
                "get",
                "horizontalpodautoscalers.v1.autoscaling",
                "web",
                "-o",
                "jsonpath={.status.currentCPUUtilizationPercentage}"))
        .isEqualTo("50");
  }
}
