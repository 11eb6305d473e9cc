package dev.berth.sim.podautoscaler;

import dev.berth.client.Resources;
import dev.berth.controllers.ControllerSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A cluster with nodes, a Deployment, somebody who serves metrics, and autoscalers. */
final class AutoscalerFixture implements AutoCloseable {
  static final ObjectName WEB = new ObjectName("default", "web");

  final FakeMetrics metrics = new FakeMetrics();
  final WholeCluster whole;
  final VirtualCluster cluster;

  AutoscalerFixture() {
    AtomicReference<Time> time = new AtomicReference<>();
    whole =
        new WholeCluster(
            11,
            HollowSettings.of(3),
            ControllerSettings.standard(),
            (_, api) -> metrics.beside(api, time::get));
    cluster = whole.cluster();
    time.set(cluster.time());
    advance(30);
  }

  void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  /** A Deployment whose pods request a core each. */
  void deploy(String name, int replicas) {
    deploy(name, replicas, "{'app':'%s'}".formatted(name));
  }

  void deploy(String name, int replicas, String labels) {
    cluster.create(
        Resources.DEPLOYMENTS,
        ("{'metadata':{'namespace':'default','name':'%1$s'},'spec':{'replicas':%2$d,'selector':"
                + "{'matchLabels':%3$s},'template':{'metadata':{'labels':%3$s},'spec':"
                + "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':"
                + "'500m'}}}]}}}}")
            .formatted(name, replicas, labels));
  }

  /** By the share of the processor, of which half should be used. */
  void autoscale(String name, String target, int min, int max, String more) {
    create(
        name,
        "{'apiVersion':'apps/v1','kind':'Deployment','name':'%s'}".formatted(target),
        "'minReplicas':%d,'maxReplicas':%d,'metrics':[%s]%s".formatted(min, max, CPU, more));
  }

  static final String CPU =
      "{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
          + "'averageUtilization':50}}}";

  void create(String name, String target, String spec) {
    cluster.create(
        Resources.HORIZONTAL_POD_AUTOSCALERS,
        "{'metadata':{'namespace':'default','name':'%s'},'spec':{'scaleTargetRef':%s,%s}}"
            .formatted(name, target, spec));
  }

  long replicas(String deployment) {
    return cluster.list(Resources.DEPLOYMENTS).stream()
        .filter(each -> Metadata.of(each).name().equals(deployment))
        .findFirst()
        .orElseThrow()
        .object("spec")
        .integer("replicas")
        .orElse(0);
  }

  JsonObject status(String autoscaler) {
    return cluster.list(Resources.HORIZONTAL_POD_AUTOSCALERS).stream()
        .filter(each -> Metadata.of(each).name().equals(autoscaler))
        .findFirst()
        .orElseThrow()
        .object("status");
  }

  /** As in {@code True ValidMetricFound: message}. */
  String condition(String autoscaler, String type) {
    JsonObject condition =
        Conditions.find(status(autoscaler).array("conditions"), type).orElse(JsonObject.EMPTY);
    return "%s %s: %s"
        .formatted(
            condition.text("status", ""),
            condition.text("reason", ""),
            condition.text("message", ""));
  }

  List<String> events(String autoscaler, String reason) {
    return cluster.list(Resources.CORE_EVENTS).stream()
        .filter(event -> event.object("involvedObject").text("name", "").equals(autoscaler))
        .filter(event -> event.text("reason", "").equals(reason))
        .map(event -> event.text("message", ""))
        .toList();
  }

  @Override
  public void close() {
    whole.close();
  }
}
