package dev.berth.controllers.daemonset;

import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonCounts;
import dev.berth.policy.daemon.DaemonNode;
import dev.berth.policy.daemon.DaemonPod;
import dev.berth.policy.daemon.DaemonSnapshot;
import dev.berth.policy.daemon.FailureBackoff;
import dev.berth.policy.history.Revision;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A DaemonSet by node: its pods there, and how each node was last decided about. Totals are kept,
 * so that whatever changes on a node costs as much as that node, however many there are.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class DaemonSetState {
  private final ObjectName name;
  private final Map<String, NodeState> nodes = new HashMap<>();

  /** Nodes to decide about. */
  private final Set<String> changed = new LinkedHashSet<>();

  /** By node: those to be replaced as soon as there is room. */
  private final Map<String, DaemonNode.Outdated> outdated = new LinkedHashMap<>();

  /** How many pods are of which revision, by its hash. */
  private final Map<String, Integer> podsOfRevision = new HashMap<>();

  private Set<String> revisions = Set.of();
  private DaemonCounts totals = DaemonCounts.NONE;

  /** A node, as this DaemonSet has it. */
  private static final class NodeState {
    /** By UID. */
    private final Map<String, JsonObject> pods = new LinkedHashMap<>();

    private DaemonCounts counts = DaemonCounts.NONE;
    private FailureBackoff failures = FailureBackoff.NONE;
    private Optional<Instant> again = Optional.empty();

    boolean isForgettable() {
      return pods.isEmpty() && counts.equals(DaemonCounts.NONE);
    }
  }

  DaemonSetState(ObjectName name) {
    this.name = name;
  }

  ObjectName name() {
    return name;
  }

  private NodeState node(String node) {
    return nodes.computeIfAbsent(node, _ -> new NodeState());
  }

  /** Has a node decided about. */
  void changed(String node) {
    // A pod that somebody else made may be for none; it is decided about when it is on one.
    if (!node.isEmpty()) {
      changed.add(node);
    }
  }

  /** The time has come at which a node was to be decided about. */
  void isDue(String node) {
    if (nodes.containsKey(node)) {
      node(node).again = Optional.empty();
      changed(node);
    }
  }

  /** Has all nodes decided about: those that there are, and those that only its pods know. */
  void allChanged(Collection<String> there) {
    changed.addAll(there);
    nodes.keySet().forEach(this::changed);
  }

  /** A pod is there, as it was heard of or was made. */
  void came(JsonObject pod) {
    String node = DaemonPod.nodeOf(new PodTree(pod));
    node(node).pods.put(Metadata.of(pod).uid(), pod);
    podsOfRevision.merge(DaemonPod.revisionOf(Metadata.of(pod)), 1, Integer::sum);
    changed(node);
  }

  /** A pod is not there any more as it was. */
  void left(JsonObject pod) {
    String node = DaemonPod.nodeOf(new PodTree(pod));
    node(node).pods.remove(Metadata.of(pod).uid());
    podsOfRevision.computeIfPresent(
        DaemonPod.revisionOf(Metadata.of(pod)), (_, count) -> count == 1 ? null : count - 1);
    changed(node);
  }

  /** The hashes of the template's revisions. What failed before holds a new template not back. */
  void revisionsAre(Set<String> current) {
    if (!current.isEmpty() && !current.equals(revisions)) {
      revisions = current;
      nodes.values().forEach(node -> node.failures = FailureBackoff.NONE);
      allChanged(Set.of());
    }
  }

  /** Whether a revision is the template's, or one that pods are of. */
  boolean uses(Revision revision) {
    return revisions.contains(revision.hash()) || podsOfRevision.containsKey(revision.hash());
  }

  /** A failed pod of a node is being replaced. */
  void failed(String node, Instant now) {
    node(node).failures = node(node).failures.next(now);
  }

  /** The nodes to decide about, as they are now. */
  Map<String, DaemonSnapshot.Node> changed(Map<String, NodeView> views, OwnedObjects known) {
    Map<String, DaemonSnapshot.Node> snapshots = LinkedHashMap.newLinkedHashMap(changed.size());
    for (String node : changed) {
      NodeState state = node(node);
      snapshots.put(
          node,
          new DaemonSnapshot.Node(
              Optional.ofNullable(views.get(node)),
              state.pods.values().stream().map(pod -> read(pod, known)).toList(),
              state.failures));
    }
    return snapshots;
  }

  private static DaemonPod read(JsonObject pod, OwnedObjects known) {
    DaemonPod read = DaemonPod.read(pod);
    return known.isBeingDeleted(pod) ? read.left() : read;
  }

  /** What the other nodes count. */
  DaemonCounts countsOfOthers() {
    DaemonCounts others = totals;
    for (String node : changed) {
      others = others.minus(node(node).counts);
    }
    return others;
  }

  /** The pods that are to be replaced when there is room, by node; not a copy. */
  Map<String, DaemonNode.Outdated> outdated() {
    return Collections.unmodifiableMap(outdated);
  }

  /**
   * Takes note of what was decided about a node. It need not be decided about again until something
   * happens, if there is nothing to be done.
   *
   * @return when it is to be decided about even if nothing happens, unless that is known
   */
  Optional<Instant> decided(String node, DaemonNode.Verdict verdict) {
    NodeState state = node(node);
    totals = totals.minus(state.counts).plus(verdict.counts());
    state.counts = verdict.counts();
    if (verdict.isSettled()) {
      changed.remove(node);
      verdict
          .outdated()
          .ifPresentOrElse(pod -> outdated.put(node, pod), () -> outdated.remove(node));
    } else {
      outdated.remove(node);
    }
    if (state.isForgettable()) {
      nodes.remove(node);
    }
    boolean isKnown = state.again.equals(verdict.again());
    state.again = verdict.again();
    return isKnown ? Optional.empty() : verdict.again();
  }
}
