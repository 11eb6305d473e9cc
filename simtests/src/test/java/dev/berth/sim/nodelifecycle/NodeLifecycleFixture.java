package dev.berth.sim.nodelifecycle;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.nodelifecycle.NodeLifecycle;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Taint;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** A cluster with nodes that do nothing but send heartbeats, and the node lifecycle controller. */
final class NodeLifecycleFixture implements AutoCloseable {
  static final String CONTROLLER = "lifecycle";

  final VirtualCluster cluster;
  final Heartbeats heartbeats;
  final TaintedNodes taintedNodes;

  NodeLifecycleFixture() {
    this(1, NodeLifecycleSettings.DEFAULT);
  }

  NodeLifecycleFixture(long seed, NodeLifecycleSettings settings) {
    this(seed, settings, api -> api);
  }

  /**
   * A cluster.
   *
   * @param between what is between the controller and the server
   */
  NodeLifecycleFixture(long seed, NodeLifecycleSettings settings, UnaryOperator<Api> between) {
    cluster = new VirtualCluster(seed);
    heartbeats = new Heartbeats(cluster);
    taintedNodes = new TaintedNodes(cluster);
    cluster.run(
        CONTROLLER,
        () -> {
          ControllerParts parts = cluster.parts(NodeLifecycle.ACCOUNT);
          return NodeLifecycle.start(
              new ControllerParts(
                  between.apply(parts.api()), parts.time(), parts.metrics(), parts.warnings()),
              settings);
        });
  }

  /** So many ready nodes in a zone, {@code a0}, {@code a1} and so on in zone {@code a}. */
  NodeLifecycleFixture zone(String zone, int nodes) {
    for (int i = 0; i < nodes; i++) {
      heartbeats.add(zone + i, zone);
    }
    return this;
  }

  /** The first so many nodes of a zone fall silent. */
  void silence(String zone, int nodes) {
    for (int i = 0; i < nodes; i++) {
      heartbeats.silence(zone + i);
    }
  }

  void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  void restart() {
    cluster.restart(CONTROLLER);
  }

  Instant now() {
    return cluster.time().now();
  }

  JsonObject nodeTree(String name) {
    return switch (cluster.admin().get(Resources.NODES, ObjectName.of(name))) {
      case ApiResult.Done(JsonObject node) -> node;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  /** The word of a node's condition; empty if it has none. */
  String condition(String node, String type) {
    return NodeView.read(nodeTree(node))
        .condition(type)
        .map(Condition::status)
        .map(s -> s.text())
        .orElse("");
  }

  String ready(String node) {
    return condition(node, Condition.READY);
  }

  /** The taints of a node, as {@code kubectl} takes them, without the prefix, in order. */
  List<String> taints(String node) {
    return NodeView.read(nodeTree(node)).taints().stream()
        .map(Taint::toString)
        .map(t -> t.replace("node.kubernetes.io/", ""))
        .sorted()
        .toList();
  }

  /** A pod on a node whose agent says that it is ready. */
  void readyPod(String name, String node) {
    cluster.pod(name, "100m", "{'nodeName':'" + node + "'}");
    podReady(name);
  }

  /** The agent says that the pod is ready. */
  void podReady(String name) {
    cluster.patchStatus(
        Resources.PODS,
        VirtualCluster.podName(name),
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
  }

  boolean isPodReady(String name) {
    return PodView.read(cluster.getPod(name)).ready();
  }

  String metrics() {
    return cluster.metrics(NodeLifecycle.ACCOUNT);
  }

  @Override
  public void close() {
    heartbeats.close();
    taintedNodes.close();
    cluster.close();
  }
}
