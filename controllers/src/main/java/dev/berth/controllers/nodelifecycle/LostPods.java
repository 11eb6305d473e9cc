package dev.berth.controllers.nodelifecycle;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PodWrites;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.Condition;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The pods of every node, and how those of a node that is not ready become not ready, so that
 * nobody sends them work.
 *
 * <p>Nobody here makes them ready again. Whether a pod is ready is for its node's agent to say, who
 * has looked: it may have died while the node was away. An agent that is back finds that the server
 * says something else than it does and posts the status again (kubelets compare every ten seconds),
 * as does Berth's own. For the same reason a pod that becomes ready on a node that is not is left
 * so: its agent is there and has looked. If the node counts as lost, the news of it is only late;
 * if no news come for a grace period, the pod is not ready after all.
 *
 * <p>Lives on the controller's loop.
 */
final class LostPods {
  private static final int AT_ONCE = 64;

  private static final JsonObject NOT_READY =
      new JsonObject.Builder().put("type", Condition.READY).put("status", Conditions.FALSE).build();

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final LifecycleEvents events;
  private final Predicate<String> isNotReady;
  private final Predicate<String> isLost;
  private final Duration patience;
  private final BoundedRequests requests;
  private final RandomGenerator random;
  private final Map<String, Map<ObjectName, JsonObject>> byNode = new LinkedHashMap<>();

  /**
   * @param isNotReady whether the node of a name is not ready, lost or not
   * @param isLost whether the node of a name is lost
   * @param patience how long a pod may be ready on a node that is
   */
  LostPods(
      ControllerParts parts,
      Loop loop,
      LifecycleEvents events,
      Predicate<String> isNotReady,
      Predicate<String> isLost,
      Duration patience) {
    this.api = parts.api();
    this.loop = loop;
    this.time = parts.time();
    this.events = events;
    this.isNotReady = isNotReady;
    this.isLost = isLost;
    this.patience = patience;
    requests = new BoundedRequests(loop, AT_ONCE);
    random = time.random("lost-pods");
  }

  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    String was = before == null ? "" : nodeOf(before);
    String is = after == null ? "" : nodeOf(after);
    if (before != null && !was.isEmpty() && !was.equals(is)) {
      byNode.computeIfPresent(
          was,
          (_, pods) -> {
            pods.remove(ObjectName.of(before));
            return pods.isEmpty() ? null : pods;
          });
    }
    if (after != null && !is.isEmpty()) {
      byNode.computeIfAbsent(is, _ -> new LinkedHashMap<>()).put(ObjectName.of(after), after);
      if (isReady(after) && isNotReady.test(is)) {
        if (!was.equals(is)) {
          mark(is, after, new Backoff(random));
        } else if (before != null && !isReady(before)) {
          loop.after(patience, () -> markIfLost(is, after));
        }
      }
    }
  }

  private static boolean isReady(JsonObject pod) {
    return new PodTree(pod).ready();
  }

  private static String nodeOf(JsonObject pod) {
    return new PodTree(pod).nodeName();
  }

  /** The pods of a node. */
  List<JsonObject> on(String node) {
    return List.copyOf(byNode.getOrDefault(node, Map.of()).values());
  }

  /** Marks all pods of a node that is not ready. */
  void mark(String node) {
    for (JsonObject pod : on(node)) {
      mark(node, pod, new Backoff(random));
    }
  }

  private void mark(String node, JsonObject pod, Backoff backoff) {
    if (!isReady(pod)) {
      return;
    }
    Optional<JsonObject> condition = PodWrites.changed(pod, NOT_READY, time.now());
    JsonObject status = JsonObject.of("conditions", JsonArray.of(condition.orElse(NOT_READY)));
    requests.run(
        () -> isNotReady.test(node),
        () -> PodWrites.patch(api, pod, status),
        result -> {
          if (result.isDone()) {
            events.podNotReady(pod);
          } else if (result instanceof ApiResult.Failure why && !result.isNotFound()) {
            // A conflict may mean another pod of its name, and may not; the watch will say so.
            loop.after(
                backoff.failed(time.monotonicNow(), why), () -> markAgain(node, pod, backoff));
          }
        });
  }

  /** Marks a pod that became ready on its node, if nothing was heard of the node since. */
  private void markIfLost(String node, JsonObject pod) {
    if (isLost.test(node)) {
      markAgain(node, pod, new Backoff(random));
    }
  }

  /** Tries again, if it is still that pod and its node is still not ready. */
  private void markAgain(String node, JsonObject pod, Backoff backoff) {
    JsonObject now = byNode.getOrDefault(node, Map.of()).get(ObjectName.of(pod));
    boolean same = now != null && Metadata.of(now).uid().equals(Metadata.of(pod).uid());
    if (now != null && same && isNotReady.test(node)) {
      mark(node, now, backoff);
    }
  }
}
