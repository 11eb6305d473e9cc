package dev.berth.sim.nodedrain;

import static dev.berth.sim.VirtualCluster.podName;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.nodedrain.NodeDrainDefinition;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlReader;
import dev.berth.sim.VirtualCluster;
import java.util.List;

/** Drains, and the pods that they are about, all of one ReplicaSet that nobody acts for. */
record DrainFixture(VirtualCluster cluster) {

  /** Defines the resource. */
  void define() {
    Object definition =
        YamlReader.value(
            NodeDrainDefinition.definition().getBytes(UTF_8), JsonLimits.REQUEST, _ -> {});
    ApiResult result =
        cluster.admin().create(NodeDrainDefinition.DEFINITIONS, (JsonObject) definition);
    assertThat(result.isDone()).as(result.toString()).isTrue();
    cluster.settle();
  }

  /** A pod that runs and is ready, and that vanishes as soon as it is deleted. */
  void ready(String name, String node) {
    cluster.create(
        Resources.PODS,
        "{'metadata':{'namespace':'default','name':'%s','labels':{'app':'web'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web','uid':'r','controller':true}]},'spec':{'nodeName':'%s','terminationGracePeriodSeconds':0,'containers':[{'name':'c','image':'i'}]}}"
            .formatted(name, node));
    makeReady(name);
  }

  void makeReady(String name) {
    cluster.patchStatus(
        Resources.PODS,
        podName(name),
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
  }

  void budget(int minAvailable) {
    cluster.create(
        Resources.POD_DISRUPTION_BUDGETS,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'matchLabels':{'app':'web'}},'minAvailable':%d}}"
            .formatted(minAvailable));
  }

  void drain(String name, String spec) {
    cluster.create(
        NodeDrainDefinition.NODE_DRAINS,
        "{'apiVersion':'berth.dev/v1alpha1','kind':'NodeDrain','metadata':{'name':'%s'},'spec':%s}"
            .formatted(name, spec));
    cluster.settle();
  }

  void change(String name, String spec) {
    cluster.patch(
        NodeDrainDefinition.NODE_DRAINS, ObjectName.of(name), "{'spec':%s}".formatted(spec));
    cluster.settle();
  }

  JsonObject status(String name) {
    ApiResult found = cluster.admin().get(NodeDrainDefinition.NODE_DRAINS, ObjectName.of(name));
    return found instanceof ApiResult.Done(JsonObject drain)
        ? drain.object("status")
        : JsonObject.EMPTY;
  }

  /** {@code Phase nodes pods}. */
  String progress(String name) {
    JsonObject status = status(name);
    return "%s %s %s"
        .formatted(
            status.text("phase", ""),
            status.text("nodeProgress", ""),
            status.text("podProgress", ""));
  }

  List<String> cordoned() {
    return cluster.list(Resources.NODES).stream()
        .filter(node -> node.object("spec").flag("unschedulable", false))
        .map(node -> Metadata.of(node).name())
        .toList();
  }

  List<String> podsOn(String node) {
    return cluster.list(Resources.PODS).stream()
        .filter(pod -> pod.object("spec").text("nodeName", "").equals(node))
        .map(pod -> Metadata.of(pod).name())
        .toList();
  }
}
