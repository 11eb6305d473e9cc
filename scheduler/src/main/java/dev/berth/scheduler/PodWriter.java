package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.volume.VolumePlan;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler writes about pods: bindings, status, and evictions of victims. Lives on the
 * scheduler's loop.
 */
final class PodWriter {
  /** Enough for a store to commit many writes at once, and few enough not to overload it. */
  private static final int AT_ONCE = 32;

  private final Api api;
  private final Time time;
  private final BoundedRequests bindings;
  private final BoundedRequests others;
  private final PodStatusWrites statuses;

  PodWriter(Api api, Loop loop, Time time) {
    this.api = api;
    this.time = time;
    this.bindings = new BoundedRequests(loop, AT_ONCE);
    this.others = new BoundedRequests(loop, AT_ONCE);
    this.statuses = new PodStatusWrites(api, loop, others);
  }

  /** How many bindings have not ended yet. */
  int bindingsUnderWay() {
    return bindings.size();
  }

  /**
   * Binds a pod to a node.
   *
   * @param confirm called right before, since the node may have changed by then
   */
  void bind(PodInfo pod, String node, BooleanSupplier confirm, Consumer<ApiResult> then) {
    statuses.forget(pod.uid());
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", pod.name().name())
            .put("namespace", pod.name().namespace())
            .put("uid", pod.uid())
            .build();
    JsonObject target = new JsonObject.Builder().put("kind", "Node").put("name", node).build();
    JsonObject binding =
        new JsonObject.Builder()
            .put("kind", "Binding")
            .put("apiVersion", "v1")
            .put("metadata", metadata)
            .put("target", target)
            .build();
    Target subresource = Target.of(Resources.PODS, pod.name()).subresource("binding");
    bindings.run(confirm, () -> api.create(subresource, binding), then);
  }

  /** Reads a pod as it is now. */
  void read(PodInfo pod, Consumer<ApiResult> then) {
    others.run(() -> api.get(Resources.PODS, pod.name()), then);
  }

  /**
   * Writes into a pod's status why it has no node, and which one it is nominated to, unless that is
   * there already.
   *
   * @param nominated the nominated node; empty to clear it, null to leave it
   */
  void report(PodInfo pod, JsonObject condition, @Nullable String nominated) {
    JsonObject.Builder status = new JsonObject.Builder();
    PodWrites.changed(pod.tree(), PodWrites.observed(pod.tree(), condition), time.now())
        .ifPresent(written -> status.put("conditions", JsonArray.of(written)));
    if (nominated != null && !nominatedNode(pod).equals(nominated)) {
      status.put(PodStatusWrites.NOMINATED_NODE_NAME, nominated);
    }
    statuses.write(pod, status.build());
  }

  /** Clears a pod's {@code nominatedNodeName}. */
  void clearNomination(PodInfo pod) {
    if (!nominatedNode(pod).isEmpty()) {
      statuses.write(pod, JsonObject.of(PodStatusWrites.NOMINATED_NODE_NAME, ""));
    }
  }

  /** The node that a pod is nominated to, as its status says or will say. */
  String nominatedNode(PodInfo pod) {
    return statuses.nominatedNode(pod);
  }

  /** Writes no more into the status of a pod. */
  void forget(PodInfo pod) {
    statuses.forget(pod.uid());
  }

  /** Writes what a pod's claims need before the pod is bound. */
  void write(VolumePlan.Write write, Consumer<ApiResult> then) {
    GroupVersionResource resource =
        switch (write) {
          case VolumePlan.BindVolume _ -> Resources.PERSISTENT_VOLUMES;
          case VolumePlan.SelectNode _ -> Resources.PERSISTENT_VOLUME_CLAIMS;
        };
    others.run(() -> api.update(resource, write.tree()), then);
  }

  /** Deletes a pod, after writing the reason into its status. */
  void evict(PodInfo pod, JsonObject condition, Consumer<ApiResult> then) {
    Instant now = time.now();
    others.run(
        () -> PodWrites.explainAndDelete(api, pod.tree(), condition, DeleteOptions.NONE, now),
        then);
  }
}
