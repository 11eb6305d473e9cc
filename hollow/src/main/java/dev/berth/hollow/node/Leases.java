package dev.berth.hollow.node;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.heartbeat.NodeLease;
import dev.berth.client.heartbeat.RetryDelay;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * Keeps the nodes' leases. A lease is created once its node is registered, taken over if it exists,
 * and created again if it was deleted; a node that is not on the server has none.
 *
 * <p>Belongs to the loop of the hollow nodes.
 */
public final class Leases {
  private final Function<String, Api> apis;
  private final Time time;
  private final Loop loop;
  private final BoundedRequests requests;
  private final Duration duration;
  private final NodeMetrics metrics;

  /**
   * @param apis the server as a node sees it, by the node's name
   */
  public Leases(
      Function<String, Api> apis,
      Time time,
      Loop loop,
      BoundedRequests requests,
      Duration duration,
      NodeMetrics metrics) {
    this.apis = apis;
    this.time = time;
    this.loop = loop;
    this.requests = requests;
    this.duration = duration;
    this.metrics = metrics;
  }

  /** Renews the lease of a node, or creates it. */
  public void renew(HollowNode node) {
    if (!node.speaks() || node.leaseUnderWay) {
      return;
    }
    node.leaseUnderWay = true;
    Instant due = time.monotonicNow();
    String uid = node.uid();
    boolean exists = node.leaseOwner.equals(uid);
    requests.run(
        () -> {
          node.leaseUnderWay = node.speaks();
          return node.leaseUnderWay;
        },
        () -> send(node.name(), uid, exists),
        result -> answered(node, uid, due, result));
  }

  private ApiResult send(String node, String uid, boolean exists) {
    Api api = apis.apply(node);
    NodeLease lease = new NodeLease(node, uid, duration);
    return exists ? lease.renew(api, time.now()) : lease.create(api, time.now());
  }

  private void answered(HollowNode node, String uid, Instant due, ApiResult result) {
    node.leaseUnderWay = false;
    if (result.isDone()) {
      node.leaseFailures = 0;
      metrics.renewed(time.since(due));
      if (node.uid().equals(uid)) {
        node.leaseOwner = uid;
      } else {
        // The node was made again meanwhile, and its lease is another one's.
        renew(node);
      }
      return;
    }
    metrics.renewalFailed();
    if (result.isNotFound() && !node.leaseOwner.isEmpty()) {
      node.leaseOwner = "";
      renew(node);
      return;
    }
    node.leaseFailures++;
    loop.after(RetryDelay.after(node.leaseFailures), () -> renew(node));
  }
}
