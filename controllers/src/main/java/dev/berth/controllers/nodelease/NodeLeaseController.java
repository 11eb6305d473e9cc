package dev.berth.controllers.nodelease;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.LeaseOwnership;
import dev.berth.policy.node.LeaseOwnership.Action;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a node's lease is owned by its node and goes with it. {@link LeaseOwnership} says
 * what becomes of which.
 *
 * <p>Leases are not watched: nodes renew them thousands of times a second, and none of that matters
 * here. A lease is checked when its node has gone, and a while after its node has come; and all are
 * checked, a page at a time, at the beginning and every few minutes.
 *
 * <p>Whatever is written or deleted is that very revision of a lease, so that one that was renewed
 * meanwhile is checked again. In a cluster that has upstream's garbage collector, either may be
 * first.
 */
public final class NodeLeaseController implements Controller {
  /** The service account under which it works; upstream has none for this. */
  public static final String ACCOUNT = "node-lease-controller";

  static final String NAMESPACE = "kube-node-lease";

  /** A node agent makes its lease soon after its node. */
  static final Duration AFTER_REGISTRATION = Duration.ofSeconds(15);

  static final Duration SWEEP = Duration.ofMinutes(5);

  private static final int AT_ONCE = 8;
  private static final int PAGE = 500;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final Consumer<String> warnings;
  private final Backoff sweepBackoff;

  /** The nodes that there are, and their uids. */
  private final Map<String, String> nodes = new HashMap<>();

  /** Leases of nodes that never were, and their revisions: as this sweep saw them, and the last. */
  private Map<String, String> watched = new HashMap<>();

  private Map<String, String> watchedBefore = new HashMap<>();

  /** Leases that could not be read or written lately. */
  private final Map<String, Backoff> troubled = new HashMap<>();

  private NodeLeaseController(ControllerParts parts) {
    api = parts.api();
    time = parts.time();
    warnings = parts.warnings();
    loop = time.start("node-leases");
    requests = new BoundedRequests(loop, AT_ONCE);
    sweepBackoff = new Backoff(time.random("node-leases"));
    informers =
        new InformerSet(parts.informers(), loop, this::sweep, warnings)
            .on(Resources.NODES, this::heard);
  }

  public static NodeLeaseController start(ControllerParts parts) {
    NodeLeaseController leases = new NodeLeaseController(parts);
    leases.informers.start();
    return leases;
  }

  private void heard(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before == null && after != null) {
      Metadata node = Metadata.of(after);
      nodes.put(node.name(), node.uid());
      if (informers.isSynced()) {
        loop.after(AFTER_REGISTRATION, () -> check(node.name()));
      }
    } else if (before != null && after == null) {
      String name = Metadata.of(before).name();
      nodes.remove(name);
      if (informers.isSynced()) {
        check(name);
      }
    }
  }

  private static ObjectName lease(String name) {
    return new ObjectName(NAMESPACE, name);
  }

  /** Checks all leases, and again when the time has come. */
  private void sweep() {
    watchedBefore = watched;
    watched = new HashMap<>();
    list("");
  }

  private void list(String token) {
    ListRequest page = ListRequest.of(Resources.LEASES).in(NAMESPACE).limit(PAGE).continuing(token);
    requests.run(() -> api.list(page), this::listed);
  }

  private void listed(ListResult result) {
    switch (result) {
      case ListResult.Page page -> {
        page.items().forEach(this::swept);
        if (page.continueToken().isEmpty()) {
          sweepBackoff.succeeded();
          loop.after(SWEEP, this::sweep);
        } else {
          list(page.continueToken());
        }
      }
      case ApiResult.Failure failure -> {
        warnings.accept("cannot read the leases of nodes: " + failure.message());
        loop.after(sweepBackoff.failed(time.monotonicNow(), failure), () -> list(""));
      }
    }
  }

  private void swept(JsonObject lease) {
    Metadata metadata = Metadata.of(lease);
    Optional<String> before = Optional.ofNullable(watchedBefore.get(metadata.name()));
    Action action = LeaseOwnership.decide(lease, nodeUid(lease), before);
    if (action instanceof Action.Watch) {
      watched.put(metadata.name(), metadata.resourceVersion());
    } else {
      act(lease, action);
    }
  }

  /** Checks the lease of one node. */
  private void check(String name) {
    requests.run(() -> api.get(Resources.LEASES, lease(name)), result -> leaseRead(name, result));
  }

  private void leaseRead(String name, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject lease) -> act(lease, decide(lease));
      case ApiResult.Failure failure -> ended(name, failure);
    }
  }

  private Action decide(JsonObject lease) {
    return LeaseOwnership.decide(lease, nodeUid(lease));
  }

  private Optional<String> nodeUid(JsonObject lease) {
    return Optional.ofNullable(nodes.get(Metadata.of(lease).name()));
  }

  private void act(JsonObject lease, Action action) {
    String name = Metadata.of(lease).name();
    switch (action) {
      case Action.Own(JsonArray owners) ->
          requests.run(() -> own(lease, owners), result -> ended(name, result));
      case Action.Remove() -> requests.run(() -> remove(lease), result -> ended(name, result));
      // The next sweep sees whether it has changed.
      case Action.Keep(), Action.Watch() -> troubled.remove(name);
    }
  }

  /** Runs beside the loop. */
  private ApiResult own(JsonObject lease, JsonArray owners) {
    Metadata metadata = Metadata.of(lease);
    JsonObject changed =
        new JsonObject.Builder()
            .put("uid", metadata.uid())
            .put("resourceVersion", metadata.resourceVersion())
            .put("ownerReferences", owners)
            .build();
    return api.patch(
        Target.of(Resources.LEASES, ObjectName.of(lease)),
        PatchType.MERGE,
        JsonObject.of("metadata", changed));
  }

  /**
   * Deletes a lease unless its node is there after all, which may have come just now; we shall hear
   * of it then. Runs beside the loop.
   */
  private ApiResult remove(JsonObject lease) {
    Metadata metadata = Metadata.of(lease);
    ApiResult node = api.get(Resources.NODES, ObjectName.of(metadata.name()));
    return node.isNotFound()
        ? api.delete(
            Resources.LEASES,
            ObjectName.of(lease),
            DeleteOptions.NONE.onlyUid(metadata.uid()).onlyRevision(metadata.resourceVersion()))
        : node;
  }

  /** A lease that was renewed meanwhile, or whose server did not answer, is checked again. */
  private void ended(String name, ApiResult result) {
    if (result.isDone() || result.isNotFound()) {
      troubled.remove(name);
    } else if (result instanceof ApiResult.Failure failure) {
      Backoff backoff =
          troubled.computeIfAbsent(name, _ -> new Backoff(time.random("node-leases " + name)));
      loop.after(backoff.failed(time.monotonicNow(), failure), () -> check(name));
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
