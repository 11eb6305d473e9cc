package dev.berth.controllers.podgc;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podgc.CollectablePod;
import dev.berth.policy.podgc.PodGarbage;
import dev.berth.policy.podgc.PodGarbage.Reason;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes pods that nobody else will; {@link PodGarbage} says which.
 *
 * <p>What an event can bring about is done at once: pods that terminate without a node, or on a
 * node out of service. Finished pods are counted as they come and go, and collected once a period
 * if they are too many. A node that is missing is asked for by name when it has been missing for
 * the quarantine, and only if the server knows none of that name are its pods orphans: those that
 * were known before it was asked.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class PodGarbageCollector implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "pod-garbage-collector";

  private static final int NODES_ASKED_FOR_AT_ONCE = 8;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final PodGarbageCollectorSettings settings;
  private final TolerationRules rules;
  private final InformerSet informers;
  private final ForcedDeletions deletions;
  private final BoundedRequests nodeRequests;

  /** By name: those that have pods, or are out of service; pods without a node are at "". */
  private final Map<String, NodePods> nodes = new HashMap<>();

  /** By name, in the order in which they came to be so. */
  private final Map<String, NodePods> outOfService = new LinkedHashMap<>();

  /** By UID, in the order in which they came to be so. */
  private final Map<String, JsonObject> finished = new LinkedHashMap<>();

  private PodGarbageCollector(
      ControllerParts parts, PodGarbageCollectorSettings settings, TolerationRules rules) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start("pod-collection");
    this.settings = settings;
    this.rules = rules;
    this.deletions = new ForcedDeletions(parts, loop);
    this.nodeRequests = new BoundedRequests(loop, NODES_ASKED_FOR_AT_ONCE);
    this.informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers.on(Resources.NODES, this::nodeChanged).on(Resources.PODS, this::podChanged);
  }

  public static PodGarbageCollector start(
      ControllerParts parts, PodGarbageCollectorSettings settings, TolerationRules rules) {
    PodGarbageCollector controller = new PodGarbageCollector(parts, settings, rules);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    List.copyOf(nodes.values()).forEach(this::suspectIfMissing);
    sweep();
  }

  private NodePods node(String name) {
    return nodes.computeIfAbsent(name, NodePods::new);
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    NodePods node = node(Metadata.of(told).name());
    node.exists = after != null;
    List<Taint> taints =
        after == null || !settings.outOfService()
            ? List.of()
            : PodGarbage.outOfService(NodeView.read(after));
    if (!taints.equals(node.outOfService)) {
      node.outOfService = taints;
      if (taints.isEmpty()) {
        outOfService.remove(node.name);
      } else {
        outOfService.put(node.name, node);
        considerAllTerminating(node);
      }
    }
    suspectIfMissing(node);
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    CollectablePod pod = CollectablePod.read(told);
    NodePods node = node(pod.nodeName());
    if (!pod.nodeName().isEmpty() && before != null) {
      // It may have been without one.
      node("").pods.remove(pod.uid());
    }
    if (after == null) {
      node.pods.remove(pod.uid());
      finished.remove(pod.uid());
      deletions.forget(pod.uid());
      forgetIfPossible(node);
      return;
    }
    node.pods.put(pod.uid(), after);
    if (pod.phase().finished()) {
      finished.put(pod.uid(), after);
    }
    considerTerminating(pod, node);
    suspectIfMissing(node);
  }

  private void considerTerminating(CollectablePod pod, NodePods node) {
    if (PodGarbage.isUnscheduled(pod)) {
      collect(pod, Reason.UNSCHEDULED);
    } else if (PodGarbage.isOutOfService(pod, node.outOfService, rules, time.now())) {
      collect(pod, Reason.OUT_OF_SERVICE);
    }
  }

  private void collect(CollectablePod pod, Reason reason) {
    deletions.collect(
        pod.name(), pod.uid(), reason, why -> garbage(pod.nodeName(), pod.uid(), why));
  }

  /** The pod as it is now, if it is still to be collected for that reason. */
  private Optional<JsonObject> garbage(String nodeName, String uid, Reason reason) {
    NodePods node = nodes.get(nodeName);
    JsonObject tree = node == null ? null : node.pods.get(uid);
    if (node == null || tree == null) {
      return Optional.empty();
    }
    CollectablePod pod = CollectablePod.read(tree);
    boolean wanted =
        switch (reason) {
          case UNSCHEDULED -> PodGarbage.isUnscheduled(pod);
          case OUT_OF_SERVICE ->
              PodGarbage.isOutOfService(pod, node.outOfService, rules, time.now());
          case ORPHANED -> !node.exists && PodGarbage.isOrphan(pod);
          case FINISHED -> tooManyFinished();
        };
    return wanted ? Optional.of(tree) : Optional.empty();
  }

  /** Collects, once a period, what no event tells of. */
  private void sweep() {
    // Tolerations run out without an event.
    outOfService.values().forEach(this::considerAllTerminating);
    if (tooManyFinished()) {
      List<CollectablePod> ends = new ArrayList<>(finished.size());
      finished.values().forEach(tree -> ends.add(CollectablePod.read(tree)));
      PodGarbage.finishedBeyond(ends, settings.mostFinished())
          .forEach(pod -> collect(pod, Reason.FINISHED));
    }
    loop.after(settings.period(), this::sweep);
  }

  private boolean tooManyFinished() {
    return settings.mostFinished() > 0 && finished.size() > settings.mostFinished();
  }

  private void considerAllTerminating(NodePods node) {
    for (JsonObject tree : node.pods.values()) {
      if (Metadata.of(tree).isBeingDeleted()) {
        considerTerminating(CollectablePod.read(tree), node);
      }
    }
  }

  /** Begins to find out whether a node is gone that has pods and was not heard of. */
  private void suspectIfMissing(NodePods node) {
    if (node.exists || node.name.isEmpty() || !informers.isSynced()) {
      return;
    }
    if (node.pods.isEmpty()) {
      forgetIfPossible(node);
    } else if (!node.isSuspect) {
      node.isSuspect = true;
      loop.after(settings.quarantine(), () -> askFor(node));
    }
  }

  private void askFor(NodePods node) {
    List<JsonObject> known = List.copyOf(node.pods.values());
    node.isSuspect = false;
    if (node.exists || known.isEmpty()) {
      forgetIfPossible(node);
      return;
    }
    node.isSuspect = true;
    nodeRequests.run(
        () -> {
          node.isSuspect = !node.exists;
          return node.isSuspect;
        },
        () -> api.get(Resources.NODES, ObjectName.of(node.name)),
        result -> answered(node, known, result));
  }

  private void answered(NodePods node, List<JsonObject> known, ApiResult result) {
    node.isSuspect = false;
    if (result.isNotFound()) {
      known.forEach(tree -> collect(CollectablePod.read(tree), Reason.ORPHANED));
    } else {
      // It is there and will be heard of, or nobody knows: then it is asked for again.
      suspectIfMissing(node);
    }
  }

  private void forgetIfPossible(NodePods node) {
    if (node.pods.isEmpty() && node.outOfService.isEmpty() && !node.exists && !node.isSuspect) {
      nodes.remove(node.name);
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
