package dev.berth.controllers.daemonset;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonStatus;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes what a DaemonSet's status should say: at once if it was quiet, and otherwise a few times a
 * second, whatever happens to its pods. The last state is always written.
 */
final class StatusWriter {
  private static final Duration BETWEEN = Duration.ofMillis(250);
  private static final Duration FIRST_RETRY = Duration.ofMillis(50);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);
  private static final int AT_ONCE = 8;

  private final Api api;
  private final Time time;
  private final WorkQueue queue;
  private final BoundedRequests requests;

  StatusWriter(Api api, Loop loop, Time time, WorkQueue queue) {
    this.api = api;
    this.time = time;
    this.queue = queue;
    this.requests = new BoundedRequests(loop, AT_ONCE);
  }

  /** Writes the status if it is not what is there, or has the set looked at when it may be. */
  void write(TrackedSet set) {
    JsonObject tree = set.tree;
    TrackedSet.StatusState state = set.status;
    if (tree == null || state.isUnderWay) {
      return;
    }
    JsonObject before = tree.object("status");
    JsonObject after =
        DaemonStatus.of(before, set.totals, Metadata.of(tree).generation(), state.collisions);
    if (after.equals(before)) {
      return;
    }
    Instant now = time.monotonicNow();
    if (state.notBefore.isAfter(now)) {
      queue.addAfter(set.name, Duration.between(now, state.notBefore));
      return;
    }
    state.isUnderWay = true;
    state.notBefore = now.plus(BETWEEN);
    requests.run(
        () -> api.updateStatus(Resources.DAEMON_SETS, tree.with("status", after)),
        result -> ended(set, result));
  }

  private void ended(TrackedSet set, ApiResult result) {
    TrackedSet.StatusState state = set.status;
    state.isUnderWay = false;
    if (result.isDone() || result.isNotFound()) {
      state.failures = 0;
    } else {
      Duration delay = FIRST_RETRY;
      for (int i = 0; i < state.failures && delay.compareTo(LONGEST_RETRY) < 0; i++) {
        delay = delay.multipliedBy(2);
      }
      state.failures++;
      state.notBefore = time.monotonicNow().plus(delay);
    }
    queue.add(set.name);
  }
}
