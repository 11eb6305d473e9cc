package dev.berth.controllers.daemonset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.history.Histories;
import dev.berth.controllers.history.HistorySync;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one pod of each DaemonSet on every node that it is for; {@link
 * dev.berth.policy.daemon.DaemonNode} says what is to be done on a node.
 *
 * <ol>
 *   <li>A pod that changes costs as much as its node. A node that changes costs as much as there
 *       are DaemonSets, and nothing if its labels, taints and state are what they were.
 *   <li>Pods are only made once the revision of the template exists, whose hash they are labelled
 *       with.
 *   <li>What was done counts before it is heard of. A pod that was made and is not heard of within
 *       five minutes is taken for gone.
 *   <li>Nothing is done about a DaemonSet that is being deleted.
 * </ol>
 *
 * <p>One loop owns everything it knows, and nothing of that is durable; the back-off of failing
 * pods begins anew after a restart.
 */
public final class DaemonSets implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "daemon-set-controller";

  private static final String KIND = "DaemonSet";
  private static final int LOOKS_AT_ONCE = 16;
  private static final Duration HEARD_OF_WITHIN = Duration.ofMinutes(5);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Loop loop;
  private final Time time;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final Histories histories;
  private final Placement placement;
  private final DaemonRequests requests;
  private final Strays strays;
  private final StatusWriter statuses;
  private final Consumer<String> warnings;

  private final Map<String, KnownNode> nodes = new HashMap<>();

  /** By uid, in the order in which they were first heard of. */
  private final Map<String, TrackedSet> sets = new LinkedHashMap<>();

  /** Those that exist. */
  private final Map<ObjectName, TrackedSet> byName = new HashMap<>();

  private DaemonSets(ControllerParts parts, DaemonSetSettings settings, TolerationRules rules) {
    Api api = parts.api();
    time = parts.time();
    loop = time.start("daemon-sets");
    warnings = parts.warnings();
    queue = new WorkQueue(parts, loop, "daemonset", LOOKS_AT_ONCE, this::look);
    histories =
        new Histories(
            api, loop, time, Resources.DAEMON_SETS, WellKnownLabels.CONTROLLER_REVISION_HASH);
    placement = new Placement(loop, time, nodes, rules, this::touch);
    requests =
        new DaemonRequests(parts, loop, settings.scheduled(), placement::isWanted, this::touch);
    strays = new Strays(api, loop, set -> queue.addAfter(set.name, RETRY));
    statuses = new StatusWriter(api, loop, time, queue);
    informers = new InformerSet(parts.informers(), loop, this::synced, warnings);
    informers
        .on(Resources.NODES, this::nodeChanged)
        .on(Resources.DAEMON_SETS, this::setChanged)
        .on(Resources.CONTROLLER_REVISIONS, this::revisionChanged)
        .on(Resources.PODS, this::podChanged);
  }

  public static DaemonSets start(
      ControllerParts parts, DaemonSetSettings settings, TolerationRules rules) {
    DaemonSets controller = new DaemonSets(parts, settings, rules);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    byName.keySet().forEach(queue::add);
  }

  private void touch(Slot slot) {
    slot.set.dirty.add(slot.node);
    touch(slot.set);
  }

  private void touch(TrackedSet set) {
    if (set.tree != null && informers.isSynced()) {
      queue.add(set.name);
    }
  }

  private TrackedSet set(String uid) {
    return sets.computeIfAbsent(uid, TrackedSet::new);
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    String name = Metadata.of(told).name();
    if (after == null) {
      nodes.remove(name);
    } else {
      KnownNode node = KnownNode.read(after);
      if (node.isLike(nodes.put(name, node))) {
        return;
      }
    }
    for (TrackedSet set : byName.values()) {
      set.dirty.add(name);
      touch(set);
    }
  }

  private void setChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      TrackedSet set = set(Metadata.of(after).uid());
      boolean isNew = set.tree == null;
      set.become(after);
      if (isNew) {
        byName.put(set.name, set);
        set.dirty.addAll(set.slots.keySet());
        strays.of(set).forEach(pod -> set.strays.put(Metadata.of(pod).uid(), pod));
        set.pods.values().stream()
            .filter(pod -> !set.selector.matches(Metadata.of(pod).labels()))
            .forEach(pod -> set.strays.put(Metadata.of(pod).uid(), pod));
      }
      if (!set.historyIsCurrent) {
        set.dirty.addAll(nodes.keySet());
      }
      touch(set);
    } else if (before != null) {
      TrackedSet set = set(Metadata.of(before).uid());
      set.tree = null;
      byName.remove(set.name, set);
      forgetIfPossible(set);
    }
  }

  private void revisionChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    histories.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    String owner = Metadata.of(told).controller().map(OwnerReference::uid).orElse("");
    for (TrackedSet set : byName.values()) {
      boolean concerns =
          owner.isEmpty()
              ? set.name.namespace().equals(Metadata.of(told).namespace())
              : set.uid.equals(owner);
      if (concerns) {
        set.historyIsCurrent = false;
        touch(set);
      }
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    String was = before == null ? "" : owner(before);
    String is = after == null ? "" : owner(after);
    if (before != null && !was.isEmpty() && !was.equals(is)) {
      TrackedSet set = set(was);
      set.lost(Metadata.of(before).uid());
      touch(set);
      forgetIfPossible(set);
    }
    strays.podChanged(before, after);
    if (after == null) {
      return;
    }
    if (!is.isEmpty()) {
      TrackedSet set = set(is);
      set.strays.remove(Metadata.of(after).uid());
      set.heardOf(after);
      if (set.tree != null && !set.selector.matches(Metadata.of(after).labels())) {
        set.strays.put(Metadata.of(after).uid(), after);
      }
      touch(set);
    } else if (strays.isOrphan(after)) {
      for (TrackedSet set : byName.values()) {
        if (set.name.namespace().equals(Metadata.of(after).namespace())
            && set.selector.matches(Metadata.of(after).labels())) {
          set.strays.put(Metadata.of(after).uid(), after);
          touch(set);
        }
      }
    }
  }

  /** The uid of the DaemonSet that controls a pod; empty if none does. */
  private static String owner(JsonObject pod) {
    return Metadata.of(pod)
        .controller()
        .filter(owner -> owner.kind().equals(KIND))
        .map(OwnerReference::uid)
        .orElse("");
  }

  private void forgetIfPossible(TrackedSet set) {
    if (set.isForgettable()) {
      sets.remove(set.uid);
    }
  }

  private void look(ObjectName name, WorkQueue.Item item) {
    TrackedSet set = byName.get(name);
    JsonObject tree = set == null ? null : set.tree;
    if (set == null || tree == null || !set.isActive() || !informers.isSynced()) {
      item.succeeded();
    } else if (set.historyIsCurrent) {
      place(set);
      item.succeeded();
    } else {
      set.historyIsCurrent = true;
      histories.sync(
          tree, set.status.collisions, outcome -> historySynced(set, tree, outcome, item));
    }
  }

  private void historySynced(
      TrackedSet set, JsonObject tree, HistorySync.Outcome outcome, WorkQueue.Item item) {
    boolean sameTemplate = set.tree != null && set.tree.object("spec").equals(tree.object("spec"));
    switch (outcome) {
      case HistorySync.Current(Revision current, List<Revision> same) -> {
        if (sameTemplate && set.isActive()) {
          set.historyIs(current, same);
          place(set);
        }
        item.succeeded();
      }
      case HistorySync.Collision(String _) -> {
        set.status.collisions++;
        set.historyIsCurrent = false;
        item.failed();
      }
      case HistorySync.Failed(ApiResult.Failure why) -> {
        set.historyIsCurrent = false;
        if (why instanceof ApiResult.Refused && !why.isConflict() && !why.isNotFound()) {
          warnings.accept(
              "cannot keep the revisions of daemonset %s: %s".formatted(set.name, why.message()));
        }
        item.failed();
      }
    }
  }

  private void place(TrackedSet set) {
    forgetUnheard(set);
    strays.settle(set);
    placement.place(set, requests);
    statuses.write(set);
    JsonObject tree = set.tree;
    if (tree != null) {
      histories.truncate(tree, set::uses, () -> queue.addAfter(set.name, RETRY));
    }
  }

  /** A pod that was made and deleted while nobody listened is never heard of. */
  private void forgetUnheard(TrackedSet set) {
    Instant now = time.now();
    while (!set.unheard.isEmpty()) {
      Map.Entry<String, Instant> oldest = set.unheard.entrySet().iterator().next();
      Instant until = oldest.getValue().plus(HEARD_OF_WITHIN);
      if (until.isAfter(now)) {
        queue.addAfter(set.name, Duration.between(now, until));
        return;
      }
      set.lost(oldest.getKey());
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
