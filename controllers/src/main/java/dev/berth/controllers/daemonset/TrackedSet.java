package dev.berth.controllers.daemonset;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonCounts;
import dev.berth.policy.daemon.DaemonNode;
import dev.berth.policy.daemon.DaemonPod;
import dev.berth.policy.daemon.DaemonStrategy;
import dev.berth.policy.history.Revision;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A DaemonSet and its pods by node. It is known by its uid, from the moment that it or one of its
 * pods is heard of, whichever is first.
 *
 * <p>Totals are kept: whatever changes on a node costs as much as that node, however many there
 * are.
 */
final class TrackedSet {
  final String uid;
  ObjectName name = new ObjectName("", "");

  /** Null until it is heard of, and when it is no more. */
  @Nullable JsonObject tree;

  LabelSelector selector = LabelSelector.NOTHING;
  PodSpecView template = PodSpecView.read(JsonObject.EMPTY);
  DaemonNode.Rules rules = rules(JsonObject.EMPTY, Set.of());

  /** The hash of the current template; empty until its revision exists. */
  String hash = "";

  boolean historyIsCurrent;

  /** By node. */
  final Map<String, Slot> slots = new HashMap<>();

  /** By uid: its pods as they were heard of, or were made. */
  final Map<String, JsonObject> pods = new HashMap<>();

  /** How many of them are of which revision, by its hash. */
  private final Map<String, Integer> podsOfRevision = new HashMap<>();

  /** By uid, the oldest first: when those pods were made that were not heard of yet. */
  final Map<String, Instant> unheard = new LinkedHashMap<>();

  /** By uid: those whose deletion the server took, which was not heard of yet. */
  final Set<String> deleted = new HashSet<>();

  /** By uid: orphans that it selects, and pods of its own that it does not. */
  final Map<String, JsonObject> strays = new LinkedHashMap<>();

  /** Nodes to decide about. */
  final Set<String> dirty = new LinkedHashSet<>();

  /** Where a pod is to be replaced as soon as there is room. */
  final Set<Slot> outdated = new LinkedHashSet<>();

  DaemonCounts totals = DaemonCounts.NONE;
  final StatusState status = new StatusState();

  /** What is under way about its status. */
  static final class StatusState {
    boolean isUnderWay;

    Instant notBefore = Instant.MIN;
    int failures;
    long collisions;
  }

  TrackedSet(String uid) {
    this.uid = uid;
  }

  private static DaemonNode.Rules rules(JsonObject spec, Set<String> revisions) {
    return new DaemonNode.Rules(DaemonStrategy.read(spec), revisions);
  }

  /** Takes note of what was heard of it. */
  void become(JsonObject heard) {
    JsonObject before = tree;
    tree = heard;
    if (before == null) {
      name = ObjectName.of(heard);
      selector = LabelSelector.fromTree(heard.object("spec").get("selector"));
    }
    status.collisions =
        Math.max(status.collisions, heard.object("status").integer("collisionCount").orElse(0));
    if (before == null || !before.object("spec").equals(heard.object("spec"))) {
      JsonObject spec = heard.object("spec");
      historyIsCurrent = false;
      template = PodSpecView.read(spec.object("template").object("spec"));
      rules = rules(spec, rules.currentRevisions());
      dirty.addAll(slots.keySet());
    }
  }

  /** Its template's revision is the latest. */
  void historyIs(Revision current, List<Revision> same) {
    Set<String> revisions = new HashSet<>();
    same.forEach(revision -> revisions.add(revision.hash()));
    if (!hash.equals(current.hash()) || !revisions.equals(rules.currentRevisions())) {
      hash = current.hash();
      rules = new DaemonNode.Rules(rules.strategy(), Set.copyOf(revisions));
      slots.values().forEach(Slot::beginAnew);
      dirty.addAll(slots.keySet());
    }
  }

  Slot slot(String node) {
    return slots.computeIfAbsent(node, missing -> new Slot(this, missing));
  }

  /** Takes note of a pod that was heard of. */
  void heardOf(JsonObject pod) {
    DaemonPod seen = DaemonPod.read(pod);
    unheard.remove(seen.uid());
    Slot slot = slot(seen.node());
    if (slot.coming.equals(seen.name())) {
      slot.coming = "";
    }
    put(slot, seen, pod);
  }

  /** Takes note of a pod that was made, of which the watch has not told yet. */
  void made(Slot slot, JsonObject pod, Instant now) {
    DaemonPod seen = DaemonPod.read(pod);
    unheard.put(seen.uid(), now);
    put(slot, seen, pod);
  }

  private void put(Slot slot, DaemonPod seen, JsonObject pod) {
    JsonObject before = pods.put(seen.uid(), pod);
    podsOfRevision.merge(seen.revision(), 1, Integer::sum);
    if (before != null) {
      DaemonPod earlier = DaemonPod.read(before);
      forgetRevision(earlier);
      if (!earlier.node().equals(slot.node)) {
        leave(earlier.node(), seen.uid());
      }
    }
    slot.put(deleted.contains(seen.uid()) ? seen.left() : seen);
    dirty.add(slot.node);
  }

  /** Takes note of a pod that is no more, or no more its own. */
  void lost(String podUid) {
    JsonObject last = pods.remove(podUid);
    unheard.remove(podUid);
    deleted.remove(podUid);
    strays.remove(podUid);
    if (last != null) {
      DaemonPod earlier = DaemonPod.read(last);
      forgetRevision(earlier);
      leave(earlier.node(), podUid);
    }
  }

  private void forgetRevision(DaemonPod pod) {
    podsOfRevision.computeIfPresent(pod.revision(), (_, n) -> n == 1 ? null : n - 1);
  }

  /** Whether a revision is the current one, or one that pods are of. */
  boolean uses(Revision revision) {
    return podsOfRevision.containsKey(revision.hash())
        || rules.currentRevisions().contains(revision.hash());
  }

  private void leave(String node, String podUid) {
    Slot slot = slots.get(node);
    if (slot != null) {
      slot.remove(podUid);
      dirty.add(node);
    }
  }

  /** A pod's deletion was not taken after all. */
  void isStillThere(Slot slot, String podUid) {
    deleted.remove(podUid);
    JsonObject pod = pods.get(podUid);
    if (pod != null) {
      slot.put(DaemonPod.read(pod));
    }
  }

  /** Counts a node anew. */
  void count(Slot slot, DaemonNode.Verdict verdict) {
    totals = totals.minus(slot.counts).plus(verdict.counts());
    slot.counts = verdict.counts();
    slot.outdated = verdict.outdated();
    if (slot.outdated.isPresent()) {
      outdated.add(slot);
    } else {
      outdated.remove(slot);
    }
  }

  boolean isActive() {
    return tree != null && !Metadata.of(tree).isBeingDeleted();
  }

  boolean isForgettable() {
    return tree == null && pods.isEmpty();
  }
}
