package dev.berth.clients;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** The objects of the program, as fabric8's client types them. */
final class Fabric8Objects {
  private Fabric8Objects() {}

  static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("app", name)
        .endMetadata()
        .withNewSpec()
        .addNewToleration()
        .withKey("gpu")
        .withOperator("Exists")
        .withEffect("NoExecute")
        .withTolerationSeconds(60L)
        .endToleration()
        .addNewContainer()
        .withName("main")
        .withImage("image:1")
        .withNewResources()
        .addToRequests("cpu", new Quantity("250m"))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  static Node node(String name) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("zone", "a")
        .endMetadata()
        .withNewSpec()
        .addNewTaint()
        .withKey("gpu")
        .withValue("yes")
        .withEffect("NoSchedule")
        .endTaint()
        .endSpec()
        .build();
  }

  static Lease lease(String name) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity("me")
        .withLeaseDurationSeconds(40)
        .withRenewTime(ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 678_901_000, ZoneOffset.UTC))
        .endSpec()
        .build();
  }

  static Deployment deployment(String name) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withReplicas(2)
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withSpec(pod(name).getSpec())
        .endTemplate()
        .endSpec()
        .build();
  }

  static Event event(String name, String node) {
    return new EventBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewInvolvedObject()
        .withKind("Node")
        .withName(node)
        .endInvolvedObject()
        .withReason("Tested")
        .withMessage("a typed event")
        .withType("Normal")
        .withCount(2)
        .withFirstTimestamp("2026-01-02T03:04:05Z")
        .build();
  }
}
