package dev.berth.agent.node;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.heartbeat.NodeLease;
import dev.berth.client.heartbeat.RetryDelay;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps the lease of a node: created once the node is registered, taken over if it exists, created
 * again if it was deleted; renewed four times in its duration, a little later each time by chance,
 * as kubelets do, so that nodes do not renew together. What fails is tried again after 200 ms, then
 * twice as long, to 7 s.
 *
 * <p>Belongs to the loop of the node.
 */
final class NodeHeartbeat {
  private static final int RENEWALS = 4;
  private static final double JITTER = 0.04;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final String node;
  private final Duration duration;
  private final Supplier<String> uid;
  private final RandomGenerator random;
  private final Logger log;

  /** The uid of the node that the lease belongs to; empty while it is not known to exist. */
  private String owner = "";

  private boolean isUnderWay;
  private int failures;
  private Loop.@Nullable Timer retry;
  private boolean hasBegun;
  private Runnable recovered = () -> {};

  /**
   * @param uid of the node as it is registered now; empty while it is not
   */
  NodeHeartbeat(
      Api api,
      Time time,
      Loop loop,
      String node,
      Duration duration,
      Supplier<String> uid,
      Logger log) {
    this.api = api;
    this.time = time;
    this.loop = loop;
    this.node = node;
    this.duration = duration;
    this.uid = uid;
    this.log = log;
    this.random = time.random("node lease");
  }

  /** Has somebody told whenever a server that did not answer does again. */
  void onRecovery(Runnable told) {
    recovered = told;
  }

  /** Renews now, and from now on in time. */
  void begin() {
    renew();
    if (!hasBegun) {
      hasBegun = true;
      repeat();
    }
  }

  private void repeat() {
    Duration interval = duration.dividedBy(RENEWALS);
    Duration jitter = Duration.ofNanos((long) (interval.toNanos() * JITTER * random.nextDouble()));
    loop.after(
        interval.plus(jitter),
        () -> {
          renew();
          repeat();
        });
  }

  private void renew() {
    String current = uid.get();
    if (isUnderWay || current.isEmpty()) {
      return;
    }
    boolean exists = owner.equals(current);
    NodeLease lease = new NodeLease(node, current, duration);
    isUnderWay =
        loop.call(
            () -> exists ? lease.renew(api, time.now()) : lease.create(api, time.now()),
            result -> answered(current, result));
  }

  /** One retry waits at a time: the regular renewal may fail meanwhile, too. */
  private void retryAfter(Duration delay) {
    if (retry != null) {
      retry.cancel();
    }
    retry = loop.after(delay, this::renew);
  }

  private void answered(String current, ApiResult result) {
    isUnderWay = false;
    switch (result) {
      case ApiResult.Done _ -> {
        owner = current;
        if (failures > 0) {
          failures = 0;
          recovered.run();
        }
        if (!uid.get().equals(current)) {
          // The node was made again meanwhile, and its lease is another one's.
          renew();
        }
      }
      case ApiResult.Failure failure -> {
        if (failure.isNotFound() && !owner.isEmpty()) {
          owner = "";
          renew();
          return;
        }
        failures++;
        if (failures == 1) {
          log.atWarn()
              .addKeyValue("reason", failure.message())
              .log("cannot renew the node's lease");
        }
        retryAfter(RetryDelay.after(failures));
      }
    }
  }
}
