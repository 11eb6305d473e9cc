package dev.berth.controllers.tainteviction;

import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods from nodes whose NoExecute taints they do not tolerate, or no longer; {@link
 * dev.berth.policy.taint.EvictionTime} says when.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable: deadlines are counted from
 * the times that taints and pods have on the server, so that whoever comes after a crash counts the
 * same, but for the fractions of a second that are not written there.
 *
 * <ol>
 *   <li>Pods are known by their node and their UID. A pod of the same name is another pod.
 *   <li>A node that changes costs as much as there are pods on it, and nothing if its NoExecute
 *       taints are what they were.
 *   <li>A pod is told apart from what it was when the decision fell: a deletion names the pod's
 *       revision, so that a pod whose tolerations were edited meanwhile is decided about again.
 *   <li>What fails is tried again until it succeeds or the pod may stay.
 *   <li>Where a node's annotation says so, disruption budgets may hold an eviction back, for a
 *       while: {@link dev.berth.policy.taint.RespectedBudgets}.
 * </ol>
 */
public final class TaintEviction implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "node-controller";

  private final Loop loop;
  private final Time time;
  private final InformerSet informers;
  private final Evictions evictions;
  private final TaintStamps stamps;

  /** By name: those that have pods or taints. */
  private final Map<String, TrackedNode> nodes = new HashMap<>();

  private TaintEviction(ControllerParts parts, TolerationRules rules) {
    time = parts.time();
    loop = time.start("taint-eviction");
    evictions = new Evictions(parts, loop, rules);
    stamps = new TaintStamps(parts, loop);
    informers = new InformerSet(parts.informers(), loop, () -> {}, parts.warnings());
    informers.on(Resources.NODES, this::nodeChanged).on(Resources.PODS, this::podChanged);
  }

  public static TaintEviction start(ControllerParts parts, TolerationRules rules) {
    TaintEviction controller = new TaintEviction(parts, rules);
    controller.informers.start();
    return controller;
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    TrackedNode node = node(Metadata.of(told).name());
    String annotation = node.annotation;
    if (node.become(after, time.now())) {
      node.pods.values().forEach(evictions::nodeChanged);
    }
    if (!node.annotation.equals(annotation)) {
      evictions.annotationChanged(node);
    }
    stamps.consider(node);
    forgetIfPossible(node);
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    String nodeName = told == null ? "" : new PodTree(told).nodeName();
    if (told == null || nodeName.isEmpty()) {
      return;
    }
    TrackedNode node = node(nodeName);
    String uid = Metadata.of(told).uid();
    TrackedPod pod = node.pods.get(uid);
    if (after == null) {
      if (pod != null) {
        node.pods.remove(uid);
        evictions.forget(pod);
      }
      forgetIfPossible(node);
      return;
    }
    if (pod == null) {
      pod = new TrackedPod(node, after, time.now());
      node.pods.put(uid, pod);
    } else {
      pod.tree = after;
    }
    evictions.consider(pod);
  }

  private TrackedNode node(String name) {
    return nodes.computeIfAbsent(name, TrackedNode::new);
  }

  private void forgetIfPossible(TrackedNode node) {
    if (node.isForgettable()) {
      nodes.remove(node.name);
    }
  }

  @Override
  public void close() {
    informers.close();
    evictions.close();
    loop.close();
  }
}
