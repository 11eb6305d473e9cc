package dev.berth.controllers.nodelifecycle;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Evicts the pods of nodes that were not ready for too long, where no taint does so ({@code
 * TaintBasedEvictions=false}). All go, whatever they tolerate, but those of DaemonSets, which would
 * come back to the same node. Pods that come to such a node later go at once.
 *
 * <p>Lives on the controller's loop.
 */
final class PodEvictions {
  private static final int AT_ONCE = 64;

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final LifecycleEvents events;
  private final LostPods pods;
  private final Predicate<String> isEmptied;
  private final BoundedRequests requests;
  private final RandomGenerator random;

  /**
   * @param isEmptied whether the node of a name is being emptied, and still not ready
   */
  PodEvictions(
      ControllerParts parts,
      Loop loop,
      LifecycleEvents events,
      LostPods pods,
      Predicate<String> isEmptied) {
    this.api = parts.api();
    this.loop = loop;
    this.time = parts.time();
    this.events = events;
    this.pods = pods;
    this.isEmptied = isEmptied;
    requests = new BoundedRequests(loop, AT_ONCE);
    random = time.random("pod-evictions");
  }

  /** News of a pod: one that came to a node that is being emptied does not stay. */
  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null || !isEvictable(after)) {
      return;
    }
    String node = new PodTree(after).nodeName();
    boolean arrived = before == null || !new PodTree(before).nodeName().equals(node);
    if (arrived && isEmptied.test(node)) {
      evict(node, after, new Backoff(random));
    }
  }

  /** Whether a node has pods that would be evicted. */
  boolean concern(String node) {
    return pods.on(node).stream().anyMatch(PodEvictions::isEvictable);
  }

  /** Evicts the pods of a node. */
  void begin(String node) {
    List<JsonObject> leaving = pods.on(node).stream().filter(PodEvictions::isEvictable).toList();
    leaving.forEach(pod -> evict(node, pod, new Backoff(random)));
  }

  private static boolean isEvictable(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    boolean daemon =
        metadata.controller().filter(owner -> owner.kind().equals("DaemonSet")).isPresent();
    return !daemon && !metadata.isBeingDeleted();
  }

  private void evict(String node, JsonObject pod, Backoff backoff) {
    requests.run(
        () -> isEmptied.test(node),
        () -> sayWhyAndDelete(node, pod),
        result -> {
          if (result.isDone()) {
            events.podEvicted(pod, node);
          } else if (result instanceof ApiResult.Failure why && !result.isNotFound()) {
            loop.after(
                backoff.failed(time.monotonicNow(), why), () -> evictAgain(node, pod, backoff));
          }
        });
  }

  /** The reason by which kubectl shows such a pod as Unknown, and then its end. Blocks. */
  private ApiResult sayWhyAndDelete(String node, JsonObject pod) {
    ObjectName name = ObjectName.of(pod);
    JsonObject why =
        new JsonObject.Builder()
            .put("reason", "NodeLost")
            .put(
                "message",
                "Node %s which was running pod %s is unresponsive".formatted(node, name.name()))
            .build();
    ApiResult said = PodWrites.patch(api, pod, why);
    return said.isDone()
        ? api.delete(Resources.PODS, name, DeleteOptions.NONE.onlyUid(Metadata.of(pod).uid()))
        : said;
  }

  /** Tries again, if it is still that pod and its node is still not ready. */
  private void evictAgain(String node, JsonObject pod, Backoff backoff) {
    String uid = Metadata.of(pod).uid();
    pods.on(node).stream()
        .filter(now -> Metadata.of(now).uid().equals(uid) && isEvictable(now))
        .findFirst()
        .ifPresent(now -> evict(node, now, backoff));
  }
}
