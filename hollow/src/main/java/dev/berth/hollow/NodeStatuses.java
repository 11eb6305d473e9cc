package dev.berth.hollow;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Registers nodes and posts their status. A node that is on the server already is taken over: it
 * keeps what it has, and gets the labels and the status of a hollow node.
 *
 * <p>A node that is deleted while it runs is not registered again, as with a kubelet that is not
 * started again; if somebody else makes it anew, it goes on as that one.
 *
 * <p>Belongs to the loop of {@link HollowNodes}.
 */
final class NodeStatuses {
  private final Api api;
  private final Time time;
  private final Loop loop;
  private final BoundedRequests requests;
  private final NodeBuilder form;
  private final Listener listener;
  private final BooleanSupplier knowsVolumes;

  /** Learns what the server answered. */
  interface Listener {
    /** A node is on the server now, or changed there. */
    void shown(HollowNode node, JsonObject tree);

    /** Registering failed; it is tried again. */
    void refused(HollowNode node, ApiResult.Failure why);
  }

  /**
   * @param knowsVolumes whether nodes know which volumes they use
   */
  NodeStatuses(
      Api api,
      Time time,
      Loop loop,
      BoundedRequests requests,
      NodeBuilder form,
      Listener listener,
      BooleanSupplier knowsVolumes) {
    this.knowsVolumes = knowsVolumes;
    this.api = api;
    this.time = time;
    this.loop = loop;
    this.requests = requests;
    this.form = form;
    this.listener = listener;
  }

  /** Makes a node that is not on the server. */
  void register(HollowNode node) {
    JsonObject object = form.registered(node, time.now());
    requests.run(
        () -> !node.isRegistered(),
        () -> {
          ApiResult made = api.create(Resources.NODES, object);
          return made.isAlreadyExists() ? api.get(Resources.NODES, target(node).name()) : made;
        },
        result -> registered(node, result));
  }

  private void registered(HollowNode node, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject tree) -> {
        node.statusFailures = 0;
        listener.shown(node, tree);
      }
      case ApiResult.Failure failure -> {
        node.statusFailures++;
        listener.refused(node, failure);
        loop.after(RetryDelay.after(node.statusFailures), () -> register(node));
      }
    }
  }

  /** Gives a node that was there before the labels and all of the status of a hollow one. */
  void adopt(HollowNode node) {
    node.statusIncomplete = true;
    JsonObject metadata =
        new JsonObject.Builder()
            .put("labels", form.labels(node.index()))
            .put("annotations", NodeBuilder.ANNOTATIONS)
            .build();
    requests.run(
        node::speaks,
        () -> api.patch(target(node), PatchType.MERGE, JsonObject.of("metadata", metadata)),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject tree) -> {
              listener.shown(node, tree);
              post(node);
            }
            case ApiResult.Failure failure -> {
              listener.refused(node, failure);
              retry(node, failure, () -> adopt(node));
            }
          }
        });
  }

  /** Posts a node's conditions, with the time as its heartbeat. */
  void post(HollowNode node) {
    if (node.statusUnderWay || !node.speaks()) {
      node.statusChanged = true;
      return;
    }
    node.statusUnderWay = true;
    node.statusChanged = false;
    boolean whole = node.statusIncomplete;
    Instant now = time.now();
    List<String> inUse = node.mounts().inUse(node);
    boolean saysInUse = knowsVolumes.getAsBoolean() && !node.mounts().isSaid(node);
    JsonObject conditions =
        whole ? form.status(node, now) : JsonObject.of("conditions", node.conditions(now));
    JsonObject status = saysInUse ? conditions.with("volumesInUse", list(inUse)) : conditions;
    if (saysInUse) {
      node.mounts().says(inUse);
    }
    Target target = target(node).subresource("status");
    requests.run(
        () -> {
          node.statusUnderWay = node.speaks();
          return node.statusUnderWay;
        },
        () -> api.patch(target, PatchType.STRATEGIC, JsonObject.of("status", status)),
        result -> {
          if (saysInUse && result.isDone()) {
            node.mounts().hasSaid(inUse);
          }
          posted(node, whole, result);
        });
  }

  private static Object list(List<String> volumes) {
    return volumes.isEmpty() ? JsonNull.NULL : JsonArray.copyOf(volumes);
  }

  private void posted(HollowNode node, boolean whole, ApiResult result) {
    node.statusUnderWay = false;
    switch (result) {
      case ApiResult.Done(JsonObject tree) -> {
        node.statusFailures = 0;
        node.statusIncomplete &= !whole;
        listener.shown(node, tree);
        if (node.statusChanged) {
          post(node);
        }
      }
      case ApiResult.Failure failure -> retry(node, failure, () -> post(node));
    }
  }

  /** What failed is tried again, unless there is nothing any more that it could be done to. */
  private void retry(HollowNode node, ApiResult.Failure failure, Runnable again) {
    if (!failure.isNotFound() && node.speaks()) {
      node.statusFailures++;
      loop.after(RetryDelay.after(node.statusFailures), again);
    }
  }

  private static Target target(HollowNode node) {
    return Target.of(Resources.NODES, ObjectName.of(node.name()));
  }
}
