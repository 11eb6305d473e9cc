package dev.berth.sim.explain;

import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.EvictionPace;
import dev.berth.policy.node.EvictionTrace;
import dev.berth.policy.node.NodeTaints;
import dev.berth.policy.node.ZoneHealth;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.node.ZoneRates;
import dev.berth.policy.taint.EvictionTime;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a node's state is, who made it so, and what follows for its pods. */
public final class NodeExplainer {
  private final ExplainedCluster cluster;
  private final NodeLifecycleSettings settings;

  public NodeExplainer(ExplainedCluster cluster, NodeLifecycleSettings settings) {
    this.cluster = cluster;
    this.settings = settings;
  }

  /**
   * Explains a node; empty if there is none of that name.
   *
   * @param whole the node with its {@code managedFields}, which snapshots leave out
   */
  public Optional<JsonObject> explain(String name, Optional<JsonObject> whole) {
    return cluster
        .find(ExplainedCluster.NODES, ObjectName.of(name))
        .map(tree -> explain(NodeView.read(tree), whole.orElse(tree)));
  }

  private JsonObject explain(NodeView node, JsonObject tree) {
    List<PodTree> pods =
        cluster.podsOn(node.name()).stream()
            .map(PodTree::new)
            .filter(pod -> !pod.phase().finished())
            .toList();
    JsonObject.Builder told =
        new JsonObject.Builder()
            .put("kind", "NodeExplanation")
            .put("node", node.name())
            .put("asOf", cluster.now().toString())
            .put("ready", node.ready())
            .put("cordoned", node.unschedulable())
            .put("conditions", conditions(node))
            .put("taints", taints(node, tree))
            .put("zone", zone(node))
            .put("pods", (long) pods.size())
            .put("evictions", evictions(node, pods))
            .put("resources", resources(node));
    lease(node.name()).ifPresent(renewed -> told.put("leaseRenewed", renewed));
    return told.build();
  }

  private Optional<String> lease(String node) {
    return cluster.snapshot().list("leases.coordination.k8s.io").stream()
        .filter(lease -> ObjectName.of(lease).name().equals(node))
        .map(lease -> lease.object("spec").text("renewTime", ""))
        .filter(renewed -> !renewed.isEmpty())
        .findFirst();
  }

  private static JsonArray conditions(NodeView node) {
    List<JsonObject> told = new ArrayList<>();
    for (Condition condition : node.conditions()) {
      JsonObject.Builder one =
          new JsonObject.Builder()
              .put("type", condition.type())
              .put("status", condition.status().text())
              .put("reason", condition.reason())
              .put("message", condition.message());
      if (condition.lastTransitionTime() != null) {
        one.put("since", Times.format(condition.lastTransitionTime()));
      }
      told.add(one.build());
    }
    return JsonArray.copyOf(told);
  }

  private static JsonArray taints(NodeView node, JsonObject tree) {
    List<JsonObject> told = new ArrayList<>();
    for (Taint taint : node.taints()) {
      JsonObject.Builder one =
          new JsonObject.Builder()
              .put("taint", taint.toString())
              .put("by", TaintOrigin.of(taint, node, tree));
      if (taint.timeAdded() != null) {
        one.put("since", Times.format(taint.timeAdded()));
      }
      told.add(one.build());
    }
    return JsonArray.copyOf(told);
  }

  private JsonObject zone(NodeView node) {
    List<NodeView> nodes =
        cluster.snapshot().list(ExplainedCluster.NODES).stream().map(NodeView::read).toList();
    ZoneRates rates = ZoneRates.of(ZoneHealth.ofNodes(nodes), settings.zones());
    Optional<ZoneRate> rate = rates.of(node.zone());
    JsonObject.Builder told = new JsonObject.Builder().put("name", node.zone().toString());
    rate.ifPresent(zone ->
        told.put("state", zone.state().text())
            .put("nodes", (long) zone.health().nodes())
            .put("unhealthy", (long) zone.health().unhealthy())
            .put("nodesPerSecond", Double.toString(zone.nodesPerSecond()))
            .put("explanation", zone.explanation()));
    if (NodeTaints.noExecute(node) instanceof NodeTaints.NoExecute.AtEvictionRate(Taint taint)) {
      told.put("turn", turn(node, nodes, rates, taint));
    }
    return told.build();
  }

  /** When a node that is not healthy gets the taint that empties it. */
  private String turn(NodeView node, List<NodeView> nodes, ZoneRates rates, Taint taint) {
    double rate =
        rates.allDown()
            ? 0
            : rates
                .of(node.zone())
                .map(ZoneRate::nodesPerSecond)
                .orElse(settings.zones().nodesPerSecond());
    EvictionPace pace = EvictionPace.FRESH;
    for (NodeView other : nodes) {
      Optional<Instant> emptied =
          other.zone().equals(node.zone()) ? EvictionTrace.ofTaint(other) : Optional.empty();
      if (emptied.isPresent()) {
        pace = pace.found(emptied.get(), cluster.now(), cluster.now());
      }
    }
    Optional<Instant> next = pace.next(rate);
    if (next.isEmpty()) {
      return "It is not emptied while its zone is in this state.";
    }
    Instant from = next.get().isBefore(cluster.now()) ? cluster.now() : next.get();
    return "It gets %s at the earliest at %s, when it is its turn in its zone."
        .formatted(taint, Times.format(from));
  }

  /** Which pods leave because of the node's taints, the first ones first. */
  private JsonArray evictions(NodeView node, List<PodTree> pods) {
    StayExplainer stay = new StayExplainer(cluster);
    record Leaving(PodTree pod, Instant at, Taint taint, Optional<Instant> heldBackUntil) {}
    List<Leaving> leaving = new ArrayList<>();
    for (PodTree pod : pods) {
      EvictionTime time = stay.evictionTime(pod, node);
      Optional<Instant> until = stay.heldBackUntil(pod, node, time);
      switch (time) {
        case EvictionTime.Never _ -> {}
        case EvictionTime.Immediately(Taint taint) ->
            leaving.add(new Leaving(pod, cluster.now(), taint, until));
        case EvictionTime.At(Instant at, Taint taint) ->
            leaving.add(new Leaving(pod, at, taint, until));
      }
    }
    leaving.sort(Comparator.comparing(Leaving::at).thenComparing(each -> each.pod().name()));
    return JsonArray.copyOf(
        leaving.stream()
            .map(each ->
                new JsonObject.Builder()
                    .put("pod", each.pod().name().toString())
                    .put("at", Times.format(each.at()))
                    .put("because", each.taint().toString())
                    .putIfPresent(
                        "heldBackUntil", each.heldBackUntil().map(Times::format).orElse(null))
                    .build())
            .toList());
  }

  private JsonArray resources(NodeView node) {
    Cluster columns = cluster.scheduler().cluster();
    int index = columns.indexOf(node.name());
    List<JsonObject> told = new ArrayList<>();
    ResourceTable table = columns.resources();
    for (int column = 0; column < table.size(); column++) {
      long has = columns.allocatable(column, index);
      long used = columns.requested(column, index);
      if (has != 0 || used != 0) {
        String name = table.name(column);
        told.add(
            new JsonObject.Builder()
                .put("resource", name)
                .put("allocatable", Amounts.text(name, has))
                .put("requested", Amounts.text(name, used))
                .put("free", Amounts.text(name, has - used))
                .build());
      }
    }
    return JsonArray.copyOf(told);
  }
}
