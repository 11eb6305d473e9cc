package dev.berth.scheduler.queue;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.plugin.ClusterEventKind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether something that happened may help a pod that certain plugins refused. A hint errs on one
 * side only: a pod may be woken for nothing, but is never left asleep when it could be placed.
 *
 * <ul>
 *   <li>What a plugin does not wait for ({@code Plugin.wakes}) does not help those it refused.
 *   <li>A node helps a pod only if it is <em>open</em> to it: not cordoned, no untolerated taint,
 *       and of the pod's choosing. One that becomes open is as good as a new one to every plugin
 *       that waits for nodes, whatever it was that opened it.
 *   <li>A new node must have enough of everything that the pod asks for, even when empty.
 *   <li>What happens to a pod on a node concerns only pods that may be on that node; beyond that,
 *       each plugin says what it looks for.
 * </ul>
 */
public final class Hints {
  static final String NODE_UNSCHEDULABLE = "NodeUnschedulable";
  static final String NODE_NAME = "NodeName";
  static final String TAINT_TOLERATION = "TaintToleration";
  static final String NODE_AFFINITY = "NodeAffinity";
  static final String NODE_PORTS = "NodePorts";
  static final String NODE_RESOURCES_FIT = "NodeResourcesFit";
  static final String NODE_VOLUME_LIMITS = "NodeVolumeLimits";
  static final String POD_TOPOLOGY_SPREAD = "PodTopologySpread";
  static final String INTER_POD_AFFINITY = "InterPodAffinity";

  private static final Taint CORDON =
      Taint.of(WellKnownTaints.UNSCHEDULABLE, TaintEffect.NO_SCHEDULE);

  private final Map<String, Set<ClusterEventKind>> wakes;
  private final Map<String, Set<String>> filters;
  private final TolerationRules rules;
  private final Map<Set<String>, Set<ClusterEventKind>> wakesOfSets = new HashMap<>();

  /**
   * @param wakes what each plugin waits for, by its name; one that is not here waits for everything
   * @param filters the names of the filters of each scheduler name: what is not asked about a node
   *     does not close it
   */
  public Hints(
      Map<String, Set<ClusterEventKind>> wakes,
      Map<String, Set<String>> filters,
      TolerationRules rules) {
    this.wakes = Map.copyOf(wakes);
    this.filters = Map.copyOf(filters);
    this.rules = rules;
  }

  /** What may help pods that these plugins refused. */
  Set<ClusterEventKind> wakes(Set<String> refusing) {
    return wakesOfSets.computeIfAbsent(
        refusing,
        plugins -> {
          Set<ClusterEventKind> all = EnumSet.noneOf(ClusterEventKind.class);
          plugins.forEach(plugin -> all.addAll(wakes(plugin)));
          if (all.contains(ClusterEventKind.NODE_ADDED)) {
            // A change that opens a node to the pod stands for a new node.
            all.add(ClusterEventKind.NODE_TAINTS_CHANGED);
            all.add(ClusterEventKind.NODE_UNSCHEDULABLE_CHANGED);
            all.add(ClusterEventKind.NODE_LABELS_CHANGED);
          }
          return Collections.unmodifiableSet(all);
        });
  }

  /** The only nodes on which anything may help a pod that these refused; empty if it may be any. */
  Set<String> nodes(Set<String> refusing, WaitingPod waiting) {
    boolean choosesNodes =
        filters.getOrDefault(waiting.schedulerName(), Set.of()).contains(NODE_AFFINITY);
    boolean oneNode =
        refusing.stream().allMatch(plugin -> looksAtOneNode(plugin) || onlyOpens(plugin));
    return choosesNodes && oneNode ? waiting.namedNodes() : Set.of();
  }

  private Set<ClusterEventKind> wakes(String plugin) {
    Set<ClusterEventKind> known = wakes.get(plugin);
    return known == null ? EnumSet.allOf(ClusterEventKind.class) : known;
  }

  boolean mayHelp(Set<String> refusing, WaitingPod waiting, ClusterEvent event) {
    return switch (event.kind()) {
      case NODE_ADDED,
          NODE_ALLOCATABLE_CHANGED,
          NODE_LABELS_CHANGED,
          NODE_TAINTS_CHANGED,
          NODE_UNSCHEDULABLE_CHANGED ->
          nodeMayHelp(refusing, waiting, event);
      case POD_BOUND, POD_LABELS_CHANGED, POD_SCALED_DOWN, POD_GONE ->
          podMayHelp(refusing, waiting, event);
      case CLAIM_CHANGED ->
          isOwnClaim(waiting, event.object()) && anyWaitsFor(refusing, event.kind());
      case WAITING_POD_CHANGED -> changeMayHelp(refusing, event);
      // Whatever else happens may help those who wait for it.
      default -> anyWaitsFor(refusing, event.kind());
    };
  }

  private boolean anyWaitsFor(Set<String> refusing, ClusterEventKind kind) {
    return refusing.stream().anyMatch(plugin -> wakes(plugin).contains(kind));
  }

  // Nodes.

  private boolean nodeMayHelp(Set<String> refusing, WaitingPod waiting, ClusterEvent event) {
    NodeView after = event.nodeAfter();
    if (after == null) {
      return true;
    }
    if (!isOpen(waiting, after) || !hasEnough(waiting, event.capacityAfter())) {
      return false;
    }
    NodeView before = event.nodeBefore();
    if (before == null || !isOpen(waiting, before)) {
      return refusing.stream()
          .anyMatch(plugin ->
              wakes(plugin).contains(ClusterEventKind.NODE_ADDED)
                  || wakes(plugin).contains(event.kind()));
    }
    for (String plugin : refusing) {
      if (wakes(plugin).contains(event.kind())
          && (!plugin.equals(NODE_RESOURCES_FIT) || hasGrown(waiting, event))
          && !onlyOpens(plugin)) {
        return true;
      }
    }
    return false;
  }

  /** Whether all that a plugin looks at of a node is whether it is open. */
  private static boolean onlyOpens(String plugin) {
    return switch (plugin) {
      case NODE_UNSCHEDULABLE, NODE_NAME, TAINT_TOLERATION, NODE_AFFINITY -> true;
      default -> false;
    };
  }

  private boolean isOpen(WaitingPod waiting, NodeView node) {
    Set<String> asked = filters.getOrDefault(waiting.schedulerName(), Set.of());
    if (asked.contains(NODE_UNSCHEDULABLE)
        && node.unschedulable()
        && !rules.tolerates(waiting.spec().tolerations(), CORDON)) {
      return false;
    }
    if (asked.contains(TAINT_TOLERATION)
        && RemainingTaints.of(node.taints(), waiting.spec().tolerations(), rules)
            .refusal()
            .isPresent()) {
      return false;
    }
    return !asked.contains(NODE_AFFINITY) || NodeSelection.allows(waiting.spec(), node);
  }

  private boolean hasEnough(WaitingPod waiting, ResourceList capacity) {
    if (!filters.getOrDefault(waiting.schedulerName(), Set.of()).contains(NODE_RESOURCES_FIT)) {
      return true;
    }
    for (String resource : List.of(ResourceList.CPU, ResourceList.MEMORY)) {
      if (waiting.requests().get(resource).compareTo(capacity.get(resource)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasGrown(WaitingPod waiting, ClusterEvent event) {
    if (event.kind() != ClusterEventKind.NODE_ALLOCATABLE_CHANGED) {
      return true;
    }
    Set<String> resources = new HashSet<>(waiting.requests().amounts().keySet());
    resources.add(ResourceList.PODS);
    return resources.stream()
        .anyMatch(resource ->
            event.capacityAfter().get(resource).compareTo(event.capacityBefore().get(resource))
                > 0);
  }

  // Pods.

  private boolean podMayHelp(Set<String> refusing, WaitingPod waiting, ClusterEvent event) {
    for (String plugin : refusing) {
      if (wakes(plugin).contains(event.kind())
          && (!looksAtOneNode(plugin) || waiting.mayBeOn(event.place()))
          && podMayHelp(plugin, waiting, event)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a pod on another node than the one in question cannot matter to a plugin. */
  private static boolean looksAtOneNode(String plugin) {
    return switch (plugin) {
      case NODE_PORTS, NODE_RESOURCES_FIT, NODE_VOLUME_LIMITS -> true;
      default -> false;
    };
  }

  private static boolean podMayHelp(String plugin, WaitingPod waiting, ClusterEvent event) {
    PodView before = event.podBefore();
    PodView after = event.podAfter();
    if (before == null && after == null) {
      return true;
    }
    return switch (plugin) {
      case NODE_PORTS ->
          before == null
              || !Collections.disjoint(WaitingPod.hostPorts(before), waiting.hostPorts());
      case NODE_RESOURCES_FIT ->
          before == null || after == null || isSmaller(before, after, waiting);
      case NODE_VOLUME_LIMITS ->
          event.before() == null || !event.before().object("spec").array("volumes").isEmpty();
      case POD_TOPOLOGY_SPREAD ->
          isAboutAny(waiting.spread(), before) || isAboutAny(waiting.spread(), after);
      case INTER_POD_AFFINITY ->
          isAboutAny(waiting.affinity(), after)
              || isAboutAny(waiting.antiAffinity(), before)
              || (event.before() != null && repels(event.before()));
      default -> true;
    };
  }

  private static boolean isAboutAny(List<RoughTerm> terms, @Nullable PodView pod) {
    return pod != null && terms.stream().anyMatch(term -> term.isAbout(pod));
  }

  /** Whether a pod itself keeps others away, as required anti-affinity does both ways. */
  private static boolean repels(JsonObject pod) {
    return !pod.object("spec").object("affinity").object("podAntiAffinity").isEmpty();
  }

  /** Whether a pod asks for less of something that the one who waits wants, or has ended. */
  private static boolean isSmaller(PodView before, PodView after, WaitingPod waiting) {
    ResourceList less = EffectiveResources.requests(after.spec());
    ResourceList more = EffectiveResources.requests(before.spec());
    return after.phase().finished()
        || waiting.requests().amounts().entrySet().stream()
            .filter(wanted -> !wanted.getValue().isZero())
            .map(Map.Entry::getKey)
            .anyMatch(wanted -> less.get(wanted).compareTo(more.get(wanted)) < 0);
  }

  /** Whether the pod that waits was changed in something that matters to those who refused it. */
  private boolean changeMayHelp(Set<String> refusing, ClusterEvent event) {
    JsonObject before = event.before();
    JsonObject after = event.after();
    if (before == null || after == null) {
      return anyWaitsFor(refusing, event.kind());
    }
    JsonObject specBefore = before.object("spec");
    JsonObject specAfter = after.object("spec");
    boolean spec = !specBefore.equals(specAfter);
    boolean tolerations = !specBefore.array("tolerations").equals(specAfter.array("tolerations"));
    boolean labels =
        !before
            .object("metadata")
            .object("labels")
            .equals(after.object("metadata").object("labels"));
    for (String plugin : refusing) {
      boolean matters =
          switch (plugin) {
            case TAINT_TOLERATION, NODE_UNSCHEDULABLE -> tolerations;
            case NODE_RESOURCES_FIT, NODE_PORTS, NODE_NAME, NODE_AFFINITY -> spec;
            default -> spec || labels;
          };
      if (matters && wakes(plugin).contains(event.kind())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOwnClaim(WaitingPod waiting, @Nullable JsonObject claim) {
    if (claim == null) {
      return true;
    }
    JsonObject metadata = claim.object("metadata");
    return metadata.text("namespace", "").equals(waiting.namespace())
        && waiting.claims().contains(metadata.text("name", ""));
  }
}
