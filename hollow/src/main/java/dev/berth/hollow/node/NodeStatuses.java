package dev.berth.hollow.node;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.heartbeat.RetryDelay;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Registers nodes and posts their status. A node that is on the server already is taken over: it
 * keeps what it has, and gets the labels and the status of a hollow node.
 *
 * <p>A node that is deleted while it runs is not registered again, as with a kubelet that is not
 * started again; if somebody else creates it anew, it goes on as that one.
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class NodeStatuses {
  private final Function<String, Api> apis;
  private final Time time;
  private final Loop loop;
  private final BoundedRequests requests;
  private final NodeBuilder builder;
  private final Listener listener;
  private final VolumesInUse volumes;

  /** Learns what the server answered. */
  public interface Listener {
    /** A node is on the server now, or changed there. */
    void shown(HollowNode node, JsonObject tree);

    /** Registering failed; it is tried again. */
    void refused(HollowNode node, ApiResult.Failure why);
  }

  /**
   * @param apis the server as a node sees it, by the node's name
   */
  public NodeStatuses(
      Function<String, Api> apis,
      Time time,
      Loop loop,
      BoundedRequests requests,
      NodeBuilder builder,
      Listener listener,
      VolumesInUse volumes) {
    this.volumes = volumes;
    this.apis = apis;
    this.time = time;
    this.loop = loop;
    this.requests = requests;
    this.builder = builder;
    this.listener = listener;
  }

  /** Creates a node that is not on the server. */
  public void register(HollowNode node) {
    JsonObject object = builder.registered(node, time.now());
    requests.run(
        () -> !node.isRegistered(),
        () -> {
          Api api = apis.apply(node.name());
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
  public void adopt(HollowNode node) {
    node.statusIncomplete = true;
    JsonObject metadata =
        new JsonObject.Builder()
            .put("labels", builder.labels(node.index()))
            .put("annotations", NodeBuilder.ANNOTATIONS)
            .build();
    requests.run(
        node::speaks,
        () ->
            apis.apply(node.name())
                .patch(target(node), PatchType.MERGE, JsonObject.of("metadata", metadata)),
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
  public void post(HollowNode node) {
    if (node.statusUnderWay || !node.speaks()) {
      node.statusChanged = true;
      return;
    }
    node.statusUnderWay = true;
    node.statusChanged = false;
    boolean whole = node.statusIncomplete;
    Instant now = time.now();
    Optional<List<String>> inUse = volumes.toReport(node);
    inUse.ifPresent(reported -> volumes.reporting(node, reported));
    JsonObject status =
        whole ? builder.status(node, now) : JsonObject.of("conditions", node.conditions(now));
    JsonObject allocatable = OthersResources.behind(node.tree());
    if (!allocatable.isEmpty()) {
      status = status.with("allocatable", allocatable.withMissing(status.object("allocatable")));
    }
    if (inUse.isPresent()) {
      status = status.with("volumesInUse", list(inUse.get()));
    }
    JsonObject patch = JsonObject.of("status", status);
    Target target = target(node).subresource("status");
    requests.run(
        () -> {
          node.statusUnderWay = node.speaks();
          return node.statusUnderWay;
        },
        () -> apis.apply(node.name()).patch(target, PatchType.STRATEGIC, patch),
        result -> {
          if (inUse.isPresent() && result.isDone()) {
            volumes.reported(node, inUse.get());
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

  /** Retries what failed, unless the node is gone. */
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
