package dev.berth.controllers.nodeipam;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeCidrs;
import dev.berth.policy.cidr.NodeCidrs.Offer;
import dev.berth.policy.cidr.NodeRange;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives each node ranges of addresses for its pods. A node's ranges never change, so that two nodes
 * must never be given overlapping ones, whatever fails in between:
 *
 * <ol>
 *   <li>Nothing is given before all nodes were listed, and what they have is taken.
 *   <li>What a node is offered stays its own until the node is gone. If nobody knows whether it was
 *       written, the same is written again.
 *   <li>Each write names the revision of the node at which it was decided. When this controller
 *       begins, others may have decided before it whose writes are still on their way. So each node
 *       that has no range yet is moved to another revision first (see {@link CidrWrites#fence}),
 *       after which no such write can succeed, and only then is anything given.
 *   <li>What a node had is free again once the node is gone, not when its deletion begins.
 * </ol>
 *
 * <p>Nodes that find everything taken wait in order until something is released. A node whose range
 * is wrong is complained about, and otherwise left alone.
 */
public final class NodeIpamController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "node-controller";

  private static final int AT_ONCE = 16;
  private static final String ACTION = "AllocateCIDR";
  private static final int INVALID = 422;

  /** After so many failures an event says so; a few are nothing to report. */
  private static final int MANY_FAILURES = 3;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final EventRecorder events;
  private final Consumer<String> warnings;
  private final NodeCidrs cidrs;
  private final IpamMetrics metrics;

  /** Nodes without ranges, in the order in which they were heard of. */
  private final Map<String, Need> needs = new LinkedHashMap<>();

  /** Those of them for whom there is nothing. */
  private final Set<String> waiting = new LinkedHashSet<>();

  /** Those that were there at the beginning and have not moved to another revision since. */
  private final Set<String> unfenced = new LinkedHashSet<>();

  /** Whether anything may be given. */
  private boolean open;

  /** A node that has no range. */
  private static final class Need {
    final String name;
    JsonObject node;
    List<Cidr> given = List.of();
    boolean underWay;
    boolean conflicted;
    int failures;
    @Nullable Backoff backoff;

    Need(String name, JsonObject node) {
      this.name = name;
      this.node = node;
    }

    String revision() {
      return Metadata.of(node).resourceVersion();
    }
  }

  private NodeIpamController(ControllerParts parts, IpamSettings settings) {
    api = parts.api();
    time = parts.time();
    warnings = parts.warnings();
    loop = time.start("node-ipam");
    requests = new BoundedRequests(loop, AT_ONCE);
    events = EventRecorder.counting(api, loop, time, "cidrAllocator");
    cidrs = new NodeCidrs(settings.ranges(), settings.reserved());
    metrics = new IpamMetrics(parts.metrics(), cidrs.sets());
    informers =
        new InformerSet(parts.informers(), loop, this::synced, warnings)
            .on(Resources.NODES, this::heard);
  }

  public static NodeIpamController start(ControllerParts parts, IpamSettings settings) {
    NodeIpamController ipam = new NodeIpamController(parts, settings);
    ipam.informers.start();
    return ipam;
  }

  private void heard(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      is(Metadata.of(after).name(), after);
    } else if (before != null) {
      gone(Metadata.of(before).name());
    }
  }

  private void is(String name, JsonObject node) {
    if (cidrs.isConfirmed(name)) {
      // What it has never changes; a node that seems to have nothing is an older one of it.
      return;
    }
    List<String> ranges = CidrWrites.rangesOf(node);
    if (ranges.isEmpty()) {
      want(name, node);
    } else {
      confirm(name, node, ranges);
    }
  }

  private void gone(String name) {
    drop(name);
    List<Cidr> released = cidrs.release(name);
    metrics.released(released);
    serve();
  }

  private void drop(String name) {
    needs.remove(name);
    waiting.remove(name);
    fenced(name);
  }

  private void confirm(String name, JsonObject node, List<String> ranges) {
    List<Cidr> has = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String range : ranges) {
      Cidr.parse(range)
          .ifPresentOrElse(
              has::add, () -> problems.add("its range \"%s\" is none".formatted(range)));
    }
    Need need = needs.get(name);
    if (need != null && has.equals(need.given)) {
      metrics.allocated(has);
    }
    cidrs.confirm(name, has).forEach(problem -> problems.add(problem.toString()));
    for (String problem : problems) {
      warnings.accept("node %s: %s".formatted(name, problem));
      warn(node, "CIDRAssignmentFailed", problem);
    }
    drop(name);
    serve();
  }

  private void want(String name, JsonObject node) {
    Need known = needs.get(name);
    if (known == null) {
      Need need = new Need(name, node);
      needs.put(name, need);
      if (open) {
        attempt(need);
      }
      return;
    }
    boolean moved = !known.revision().equals(Metadata.of(node).resourceVersion());
    known.node = node;
    if (moved) {
      fenced(name);
    }
    if (known.conflicted) {
      attempt(known);
    }
  }

  private void synced() {
    unfenced.addAll(needs.keySet());
    List.copyOf(needs.values()).forEach(this::fence);
    openIfFenced();
    metrics.show(waiting.size());
  }

  private void fence(Need need) {
    JsonObject node = need.node;
    requests.run(
        () -> isNeeded(need) && unfenced.contains(need.name),
        () -> CidrWrites.fence(api, node),
        result -> fenceWritten(need, result));
  }

  private boolean isNeeded(Need need) {
    return needs.get(need.name) == need;
  }

  private void fenceWritten(Need need, ApiResult result) {
    if (!isNeeded(need) || !unfenced.contains(need.name)) {
      return;
    }
    switch (result) {
      case ApiResult.Done(JsonObject node) -> {
        if (Metadata.of(node).uid().equals(Metadata.of(need.node).uid())) {
          is(need.name, node);
        }
        fenced(need.name);
      }
      case ApiResult.Failure failure -> {
        if (failure.isNotFound() || isInvalid(failure)) {
          fenced(need.name);
          return;
        }
        if (++need.failures == MANY_FAILURES) {
          warnings.accept(
              "no node gets a range of addresses before node %s can be written: %s"
                  .formatted(need.name, failure.message()));
        }
        later(need, failure, () -> fence(need));
      }
    }
  }

  /** What the server finds wrong with a node keeps everybody from writing it. */
  private static boolean isInvalid(ApiResult.Failure failure) {
    return failure instanceof ApiResult.Refused(ApiError error) && error.code() == INVALID;
  }

  private void fenced(String name) {
    if (unfenced.remove(name)) {
      openIfFenced();
    }
  }

  private void openIfFenced() {
    if (!open && informers.isSynced() && unfenced.isEmpty()) {
      open = true;
      List.copyOf(needs.values()).forEach(this::attempt);
    }
  }

  private void attempt(Need need) {
    if (!open || need.underWay || !isNeeded(need) || Metadata.of(need.node).isBeingDeleted()) {
      return;
    }
    switch (cidrs.offer(need.name)) {
      case Offer.Given(List<Cidr> given) -> assign(need, given);
      case Offer.Exhausted(NodeRange range) -> {
        if (waiting.add(need.name)) {
          warn(
              need.node,
              "CIDRNotAvailable",
              "all %d ranges of %s are taken".formatted(range.size(), range.cluster()));
        }
      }
    }
    metrics.show(waiting.size());
  }

  private void assign(Need need, List<Cidr> given) {
    need.underWay = true;
    need.given = given;
    need.conflicted = false;
    JsonObject node = need.node;
    requests.run(
        () -> isNeeded(need),
        () -> CidrWrites.assign(api, node, given),
        result -> assigned(need, node, result));
  }

  private void assigned(Need need, JsonObject sent, ApiResult result) {
    if (!isNeeded(need)) {
      return;
    }
    need.underWay = false;
    switch (result) {
      case ApiResult.Done(JsonObject node) -> {
        is(need.name, node);
      }
      case ApiResult.Failure failure -> {
        need.conflicted = failure.isConflict();
        if (need.conflicted && !need.revision().equals(Metadata.of(sent).resourceVersion())) {
          attempt(need);
          return;
        }
        if (!need.conflicted && ++need.failures == MANY_FAILURES) {
          warnings.accept(
              "node %s gets no range of addresses yet: %s".formatted(need.name, failure.message()));
          warn(need.node, "CIDRAssignmentFailed", failure.message());
        }
        later(need, failure, () -> attempt(need));
      }
    }
  }

  private void later(Need need, ApiResult.Failure why, Runnable again) {
    if (need.backoff == null) {
      need.backoff = new Backoff(time.random("node-ipam " + need.name));
    }
    loop.after(need.backoff.failed(time.monotonicNow(), why), again);
  }

  /** Lets those have what is free who have waited longest. */
  private void serve() {
    while (!waiting.isEmpty()) {
      String name = waiting.iterator().next();
      Need need = needs.get(name);
      if (need != null && cidrs.offer(name) instanceof Offer.Exhausted) {
        break;
      }
      waiting.remove(name);
      if (need != null) {
        attempt(need);
      }
    }
    metrics.show(waiting.size());
  }

  private void warn(JsonObject node, String reason, String why) {
    String name = Metadata.of(node).name();
    events.record(
        node.with("kind", "Node").with("apiVersion", "v1"),
        EventRecorder.Type.WARNING,
        reason,
        ACTION,
        "Node %s status is now: %s: %s".formatted(name, reason, why));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
