package dev.berth.sim.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A server and hollow nodes on a clock that the test turns, and nobody else. */
final class HollowCluster implements AutoCloseable {
  final VirtualCluster cluster;
  private final HollowSettings settings;
  private Metrics metrics = new Metrics();
  private @Nullable HollowNodes nodes;

  HollowCluster(long seed, HollowSettings settings) {
    cluster = new VirtualCluster(seed);
    this.settings = settings;
  }

  HollowCluster start() {
    return start(cluster.admin());
  }

  HollowCluster start(Api api) {
    cluster.run(
        "hollow",
        () -> {
          metrics = new Metrics();
          nodes = HollowNodes.start(new HollowNodes.Parts(api, cluster.time(), metrics, settings));
          return nodes;
        });
    return this;
  }

  HollowNodes nodes() {
    if (nodes == null) {
      throw new IllegalStateException("the hollow nodes were not started");
    }
    return nodes;
  }

  void advance(Duration duration) {
    cluster.advance(duration);
  }

  JsonObject node(String name) {
    return get(cluster.admin().get(Resources.NODES, ObjectName.of(name)));
  }

  JsonObject lease(String name) {
    return get(cluster.admin().get(Resources.LEASES, new ObjectName("kube-node-lease", name)));
  }

  private static JsonObject get(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  String renewTime(String name) {
    return lease(name).object("spec").text("renewTime", "");
  }

  JsonObject condition(String node, String type) {
    return Conditions.find(node(node).object("status").array("conditions"), type)
        .orElse(JsonObject.EMPTY);
  }

  void annotate(String node, String annotations) {
    cluster.patch(
        Resources.NODES, ObjectName.of(node), "{'metadata':{'annotations':" + annotations + "}}");
    cluster.settle();
  }

  /** A pod with a minute of grace that is bound to a node. */
  void pod(String name, String node, String metadata, String spec) {
    JsonObject tree =
        VirtualCluster.tree(
            "{'metadata':{'namespace':'default','name':'%s'},'spec':{'nodeName':'%s','terminationGracePeriodSeconds':60,'containers':[{'name':'c','image':'web:1'}]}}"
                .formatted(name, node));
    JsonObject merged =
        tree.with("metadata", merge(tree.object("metadata"), VirtualCluster.tree(metadata)))
            .with("spec", merge(tree.object("spec"), VirtualCluster.tree(spec)));
    assertThat(cluster.admin().create(Resources.PODS, merged).isDone()).isTrue();
    cluster.settle();
  }

  void pod(String name, String node) {
    pod(name, node, "{}", "{}");
  }

  private static JsonObject merge(JsonObject into, JsonObject further) {
    JsonObject merged = into;
    for (int i = 0; i < further.size(); i++) {
      merged = merged.with(further.name(i), further.value(i));
    }
    return merged;
  }

  JsonObject status(String pod) {
    return cluster.getPod(pod).object("status");
  }

  String phase(String pod) {
    return status(pod).text("phase", "");
  }

  boolean isReady(String pod) {
    return Conditions.isTrue(status(pod).array("conditions"), "Ready");
  }

  JsonObject container(String pod) {
    return status(pod).array("containerStatuses").objects().getFirst();
  }

  boolean exists(String pod) {
    return cluster.exists(pod);
  }

  void delete(String pod) {
    assertThat(
            cluster
                .admin()
                .delete(Resources.PODS, VirtualCluster.podName(pod), DeleteOptions.NONE)
                .isDone())
        .isTrue();
    cluster.settle();
  }

  String metrics() {
    return metrics.text(MetricsText.Format.PROMETHEUS);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
