package dev.berth.sim.explain;

import dev.berth.model.core.Taint;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.affinity.AffinityRefusal;
import dev.berth.scheduler.plugin.node.NodeAffinityPlugin;
import dev.berth.scheduler.plugin.node.NodePorts;
import dev.berth.scheduler.plugin.resources.Shortage;
import dev.berth.scheduler.plugin.resources.Shortage.Lack;
import dev.berth.scheduler.plugin.spread.SpreadRefusal;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import dev.berth.scheduler.whatif.NodeRefusals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The reasons for which nodes are refused to a pod, each with all nodes that give it. */
final class ReasonGroups {
  private final Cluster cluster;
  private final NodeFixes pod;
  private final Map<Reason, Group> groups = new LinkedHashMap<>();

  private record Reason(String plugin, String text) {}

  /** Nodes with a reason, and what is to be said of the one that is nearest to doing. */
  private static final class Group {
    private final List<String> nodes = new ArrayList<>();
    private double least = Double.MAX_VALUE;
    private String detail = "";

    void add(String node, double distance, String ofNode) {
      nodes.add(node);
      if (distance < least) {
        least = distance;
        detail = ofNode;
      }
    }
  }

  private ReasonGroups(Cluster cluster, NodeFixes pod) {
    this.cluster = cluster;
    this.pod = pod;
  }

  /** The groups, the largest first. */
  static JsonArray of(Cluster cluster, NodeFixes pod, List<NodeRefusals> refusals) {
    ReasonGroups groups = new ReasonGroups(cluster, pod);
    refusals.forEach(groups::add);
    return JsonArray.copyOf(
        groups.groups.entrySet().stream()
            .sorted(
                Comparator.comparingInt(
                    (Map.Entry<Reason, Group> each) -> -each.getValue().nodes.size()))
            .map(each -> tree(each.getKey(), each.getValue()))
            .toList());
  }

  private static JsonObject tree(Reason reason, Group group) {
    JsonObject.Builder tree =
        new JsonObject.Builder()
            .put("reason", reason.text)
            .put("plugin", reason.plugin)
            .put("count", (long) group.nodes.size());
    if (!group.detail.isEmpty()) {
      tree.put("detail", group.detail);
    }
    return tree.put("nodes", JsonArray.copyOf(group.nodes)).build();
  }

  private void add(NodeRefusals node) {
    NodeInfo info = cluster.find(node.node());
    if (info == null) {
      return;
    }
    node.refusals().forEach(refusal -> add(info, refusal));
    if (node.nominated()) {
      add(info, "NominatedPods", "its room is kept for pods that are nominated to it", 0, "");
    }
  }

  private void add(NodeInfo node, String plugin, String text, double distance, String detail) {
    groups
        .computeIfAbsent(new Reason(plugin, text), _ -> new Group())
        .add(node.name(), distance, detail);
  }

  private void add(NodeInfo node, Refusal refusal) {
    String plugin = refusal.plugin();
    switch (refusal) {
      case TaintToleration.Untolerated _ -> {
        for (Taint taint : pod.untolerated(node)) {
          add(node, plugin, "untolerated taint " + taint, 0, "");
        }
      }
      case Shortage(List<Lack> lacks) -> lacks.forEach(lack -> add(node, plugin, lack));
      case SpreadRefusal.TooUneven uneven ->
          add(
              node,
              plugin,
              "spread over %s: maxSkew %d".formatted(uneven.topologyKey(), uneven.maxSkew()),
              (double) uneven.pods(),
              "%s would have %d, another has %d"
                  .formatted(uneven.domain(), uneven.pods(), uneven.fewest()));
      case SpreadRefusal.NoDomain(String key) ->
          add(node, plugin, "spread over %s: no such label".formatted(key), 0, "");
      case AffinityRefusal.NotNear(var term) ->
          add(
              node,
              plugin,
              "no %s in its %s".formatted(ReasonText.pods(term), term.topologyKey()),
              0,
              "");
      case AffinityRefusal.TooNear(var term) ->
          add(
              node,
              plugin,
              "%s are in its %s already".formatted(ReasonText.pods(term), term.topologyKey()),
              0,
              "");
      case AffinityRefusal.Unwanted(var term) ->
          add(
              node,
              plugin,
              "a pod in its %s has anti-affinity to %s"
                  .formatted(term.topologyKey(), ReasonText.pods(term)),
              0,
              "");
      case NodeAffinityPlugin.Mismatch mismatch when !mismatch.byProfile() ->
          add(node, plugin, pod.mismatch(node), 0, "");
      case NodePorts.Taken taken ->
          add(node, plugin, "port %d/%s is taken".formatted(taken.port(), taken.protocol()), 0, "");
      default -> add(node, plugin, String.join(", ", refusal.messages()), 0, "");
    }
  }

  private void add(NodeInfo node, String plugin, Lack lack) {
    String resource = lack.resource();
    long free = lack.capacity() - lack.used();
    String asked = Amounts.text(resource, lack.asked());
    if (resource.equals("pods")) {
      add(node, plugin, "too many pods", 0, "");
    } else if (lack.asked() > lack.capacity()) {
      add(
          node,
          plugin,
          "has less than %s %s".formatted(asked, resource),
          (double) -lack.capacity(),
          "%s has %s".formatted(node.name(), Amounts.text(resource, lack.capacity())));
    } else {
      add(
          node,
          plugin,
          "not enough %s: %s asked".formatted(resource, asked),
          (double) -free,
          "%s has %s free".formatted(node.name(), Amounts.text(resource, Math.max(0, free))));
    }
  }
}
