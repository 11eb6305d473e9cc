package dev.berth.controllers.disruption;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.StaleDisruption;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Takes back the condition of pods whose disruption did not come; see {@link StaleDisruption}. */
final class StaleConditions {
  private static final int AT_ONCE = 4;

  private final Api api;
  private final Time time;
  private final Function<ObjectName, Optional<JsonObject>> pods;
  private final BoundedRequests requests;
  private final WorkQueue queue;

  /**
   * @param pods as they were last heard of
   */
  StaleConditions(
      ControllerParts parts, Loop loop, Function<ObjectName, Optional<JsonObject>> pods) {
    this.api = parts.api();
    this.time = parts.time();
    this.pods = pods;
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, "stale_pod_disruption", AT_ONCE, this::reconcile);
  }

  /** Has a pod that has changed checked, now or when it is time. */
  void consider(JsonObject pod) {
    StaleDisruption.staleAt(pod).ifPresent(due -> addAt(ObjectName.of(pod), due));
  }

  private void addAt(ObjectName name, Instant due) {
    Duration delay = Duration.between(time.now(), due);
    queue.addAfter(name, delay.isNegative() ? Duration.ZERO : delay);
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    Optional<JsonObject> pod = pods.apply(name);
    Optional<Instant> due = pod.flatMap(StaleDisruption::staleAt);
    Instant now = time.now();
    if (pod.isEmpty() || due.isEmpty()) {
      item.succeeded();
    } else if (now.isBefore(due.get())) {
      item.succeeded();
      addAt(name, due.get());
    } else {
      JsonObject reset = StaleDisruption.reset(pod.get(), now);
      requests.run(() -> api.updateStatus(Resources.PODS, reset), result -> answered(result, item));
    }
  }

  private static void answered(ApiResult result, WorkQueue.Item item) {
    if (result.isDone() || result.isNotFound()) {
      item.succeeded();
    } else {
      item.failed();
    }
  }
}
