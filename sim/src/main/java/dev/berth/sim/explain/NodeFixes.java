package dev.berth.sim.explain;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.affinity.AffinityRefusal;
import dev.berth.scheduler.plugin.node.NodeAffinityPlugin;
import dev.berth.scheduler.plugin.node.NodePorts;
import dev.berth.scheduler.plugin.node.NodeUnschedulable;
import dev.berth.scheduler.plugin.resources.Shortage;
import dev.berth.scheduler.plugin.spread.SpreadRefusal;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What would make a node do for a pod, refusal by refusal. Whether it really does is for the
 * scheduler to say: see {@link SuggestionSearch}.
 */
final class NodeFixes {
  /** Whether rather the pod or rather the node is to change, where either would do. */
  enum Side {
    POD,
    NODE
  }

  /** Taints that follow from a node's state, and go with it. */
  private static final Set<String> PROBLEMS =
      Set.of(
          WellKnownTaints.NOT_READY,
          WellKnownTaints.UNREACHABLE,
          WellKnownTaints.MEMORY_PRESSURE,
          WellKnownTaints.DISK_PRESSURE,
          WellKnownTaints.PID_PRESSURE,
          WellKnownTaints.NETWORK_UNAVAILABLE,
          WellKnownTaints.OUT_OF_SERVICE,
          WellKnownTaints.UNINITIALIZED,
          WellKnownTaints.SHUTDOWN);

  private final Cluster cluster;
  private final PodInfo pod;
  private final TolerationRules rules;

  NodeFixes(Cluster cluster, PodInfo pod, TolerationRules rules) {
    this.cluster = cluster;
    this.pod = pod;
    this.rules = rules;
  }

  /** The fixes that together may make a node do; empty if a refusal cannot be overcome. */
  List<NodeFix> of(NodeInfo node, List<Refusal> refusals, Side side) {
    List<NodeFix> fixes = new ArrayList<>();
    for (Refusal refusal : refusals) {
      List<NodeFix> those = of(node, refusal, side);
      if (those.isEmpty()) {
        return List.of();
      }
      for (NodeFix fix : those) {
        if (fixes.stream().noneMatch(other -> other.kind().equals(fix.kind()))) {
          fixes.add(fix);
        }
      }
    }
    return fixes;
  }

  private List<NodeFix> of(NodeInfo node, Refusal refusal, Side side) {
    return switch (refusal) {
      case TaintToleration.Untolerated _ -> taints(node);
      case NodeUnschedulable.Cordoned _ -> List.of(NodeFix.of(new Change.Uncordon(node.name()), 1));
      case Shortage shortage ->
          side == Side.POD ? requestLess(shortage) : List.of(free(node, shortage));
      case NodeAffinityPlugin.Mismatch mismatch ->
          mismatch.byProfile() ? List.of() : selection(node, side);
      case SpreadRefusal.TooUneven uneven ->
          List.of(
              NodeFix.of(
                  new Change.RaiseSkew(
                      uneven.topologyKey(), uneven.maxSkew(), uneven.pods() - uneven.fewest()),
                  (double) (uneven.pods() - uneven.fewest())));
      case AffinityRefusal.NotNear(AffinityTerm term) -> drop("podAffinity", "pod affinity", term);
      case AffinityRefusal.TooNear(AffinityTerm term) ->
          drop("podAntiAffinity", "pod anti-affinity", term);
      case AffinityRefusal.Unwanted(AffinityTerm term) -> List.of(unwanted(node, term));
      case NodePorts.Taken taken -> List.of(port(node, taken));
      default -> List.of();
    };
  }

  /** The taints of a node that keep the pod off it. */
  List<Taint> untolerated(NodeInfo node) {
    List<Toleration> tolerations = pod.view().spec().tolerations();
    return RemainingTaints.of(node.view().taints(), tolerations, rules).taints().stream()
        .filter(taint -> taint.effect() != TaintEffect.PREFER_NO_SCHEDULE)
        .toList();
  }

  /** What the pod's node selector and node affinity have against a node. */
  String mismatch(NodeInfo node) {
    String lacking =
        WantedLabels.missing(
                node.view(), pod.view().spec().nodeSelector(), pod.view().spec().nodeAffinity())
            .stream()
            .map(label ->
                label.value() == null ? "no " + label.key() : label.key() + "=" + label.value())
            .collect(Collectors.joining(", "));
    return lacking.isEmpty()
        ? "not selected by the pod's node affinity"
        : "not selected by the pod, which wants " + lacking;
  }

  private List<NodeFix> taints(NodeInfo node) {
    List<Taint> given = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    List<NodeFix> fixes = new ArrayList<>();
    for (Taint taint : untolerated(node)) {
      if (taint.key().equals(WellKnownTaints.UNSCHEDULABLE)) {
        fixes.add(NodeFix.of(new Change.Uncordon(node.name()), 1));
      } else if (!PROBLEMS.contains(taint.key())) {
        given.add(taint);
      } else if (!problems.contains(taint.key())) {
        problems.add(taint.key());
      }
    }
    if (!given.isEmpty()) {
      fixes.add(NodeFix.of(new Change.Tolerate(List.copyOf(given)), given.size()));
    }
    if (!problems.isEmpty()) {
      fixes.add(NodeFix.of(new Change.Heal(node.name(), List.copyOf(problems)), 2));
    }
    return fixes;
  }

  private static List<NodeFix> requestLess(Shortage shortage) {
    Optional<Change> change = ResourceFixes.requestLess(shortage);
    return change
        .map(less -> List.of(NodeFix.of(less, ResourceFixes.share(shortage))))
        .orElse(List.of());
  }

  private NodeFix free(NodeInfo node, Shortage shortage) {
    String resources =
        shortage.resources().stream()
            .map(Shortage.Lack::resource)
            .sorted()
            .collect(Collectors.joining(" and "));
    return new NodeFix(
        "free " + resources,
        ResourceFixes.share(shortage),
        () -> ResourceFixes.free(cluster, node, shortage));
  }

  private List<NodeFix> selection(NodeInfo node, Side side) {
    JsonObject selector = pod.view().spec().nodeSelector();
    NodeAffinity affinity = pod.view().spec().nodeAffinity();
    if (side == Side.POD) {
      boolean bySelector = !node.view().hasLabels(selector);
      boolean byAffinity =
          affinity != null
              && affinity.required() != null
              && !NodeSelection.matches(affinity.required(), node.view());
      Change drop =
          new Change.DropNodeSelection(
              bySelector ? Optional.of(ReasonText.labels(selector)) : Optional.empty(), byAffinity);
      return List.of(NodeFix.of(drop, bySelector && byAffinity ? 2 : 1));
    }
    List<Change.LabelNode> labels = WantedLabels.missing(node.view(), selector, affinity);
    return labels.stream().anyMatch(label -> label.key().equals(WellKnownLabels.HOSTNAME))
        ? List.of()
        : labels.stream().map(label -> NodeFix.of(label, labels.size())).toList();
  }

  private List<NodeFix> drop(String field, String what, AffinityTerm term) {
    int index =
        PodAffinity.read(pod.name().namespace(), pod.labels(), pod.affinity())
            .terms(term.kind())
            .indexOf(term);
    String said = "%s to %s per %s".formatted(what, ReasonText.pods(term), term.topologyKey());
    return index < 0
        ? List.of()
        : List.of(NodeFix.of(new Change.DropAffinity(field, index, said), 1));
  }

  /** Pods in the node's domain that do not want this one near. */
  private NodeFix unwanted(NodeInfo node, AffinityTerm term) {
    return new NodeFix(
        "unwanted",
        1,
        () -> {
          String domain = node.labels().text(term.topologyKey(), "");
          List<ObjectName> those = new ArrayList<>();
          cluster.forEach((other, where) -> {
            if (cluster.node(where).labels().text(term.topologyKey(), "").equals(domain)
                && PodAffinity.read(other.name().namespace(), other.labels(), other.affinity())
                    .terms(AffinityTerm.Kind.REQUIRED_ANTI_AFFINITY)
                    .contains(term)) {
              those.add(other.name());
            }
          });
          return removal(
              node.name(),
              "clear %s of the pods whose anti-affinity keeps it away".formatted(node.name()),
              "unwanted",
              those);
        });
  }

  private NodeFix port(NodeInfo node, NodePorts.Taken taken) {
    return new NodeFix(
        "port " + taken.port(),
        1,
        () ->
            removal(
                node.name(),
                "free port %d/%s on %s".formatted(taken.port(), taken.protocol(), node.name()),
                "port " + taken.port(),
                cluster.pods(node.index()).stream()
                    .filter(other ->
                        other.podClass().hostPorts().stream()
                            .anyMatch(port ->
                                port.hostPort() == taken.port()
                                    && port.protocol().equals(taken.protocol())))
                    .map(PodInfo::name)
                    .toList()));
  }

  private static Optional<Change> removal(
      String node, String what, String kind, List<ObjectName> pods) {
    return pods.isEmpty()
        ? Optional.empty()
        : Optional.of(new Change.RemovePods(node, what, kind, pods));
  }
}
