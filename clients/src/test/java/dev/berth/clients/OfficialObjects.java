package dev.berth.clients;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** The objects of the program, as the official Java client types them. */
final class OfficialObjects {
  private OfficialObjects() {}

  static V1ObjectMeta named(String name) {
    return new V1ObjectMeta().namespace("default").name(name);
  }

  static V1Pod pod(String name) {
    return new V1Pod()
        .apiVersion("v1")
        .kind("Pod")
        .metadata(named(name).putLabelsItem("app", name))
        .spec(podSpec());
  }

  private static V1PodSpec podSpec() {
    return new V1PodSpec()
        .tolerations(
            List.of(
                new V1Toleration()
                    .key("gpu")
                    .operator("Exists")
                    .effect("NoExecute")
                    .tolerationSeconds(60L)))
        .containers(
            List.of(
                new V1Container()
                    .name("main")
                    .image("image:1")
                    .resources(
                        new V1ResourceRequirements()
                            .requests(Map.of("cpu", new Quantity("250m"))))));
  }

  static V1Node node(String name) {
    return new V1Node()
        .apiVersion("v1")
        .kind("Node")
        .metadata(new V1ObjectMeta().name(name).putLabelsItem("zone", "a"))
        .spec(
            new V1NodeSpec()
                .taints(List.of(new V1Taint().key("gpu").value("yes").effect("NoSchedule"))));
  }

  static V1Lease lease(String name) {
    return new V1Lease()
        .apiVersion("coordination.k8s.io/v1")
        .kind("Lease")
        .metadata(named(name))
        .spec(
            new V1LeaseSpec()
                .holderIdentity("me")
                .leaseDurationSeconds(40)
                .renewTime(OffsetDateTime.parse("2026-01-02T03:04:05.678901Z")));
  }

  static V1Deployment deployment(String name) {
    return new V1Deployment()
        .apiVersion("apps/v1")
        .kind("Deployment")
        .metadata(named(name))
        .spec(
            new V1DeploymentSpec()
                .replicas(2)
                .selector(new V1LabelSelector().matchLabels(Map.of("app", name)))
                .template(
                    new V1PodTemplateSpec()
                        .metadata(new V1ObjectMeta().putLabelsItem("app", name))
                        .spec(podSpec())));
  }

  static CoreV1Event event(String name, String node) {
    return new CoreV1Event()
        .apiVersion("v1")
        .kind("Event")
        .metadata(named(name))
        .involvedObject(new V1ObjectReference().kind("Node").name(node))
        .reason("Tested")
        .message("a typed event")
        .type("Normal")
        .count(2)
        .firstTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
  }
}
