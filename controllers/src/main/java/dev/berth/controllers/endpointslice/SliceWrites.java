package dev.berth.controllers.endpointslice;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.endpoint.SlicePlan;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Does what a plan says, all of it at once, and ends the reconciliation when the last answer is
 * there.
 */
public final class SliceWrites {
  private static final int AT_ONCE = 16;
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  private final Api api;
  private final Time time;
  private final OwnedObjects slices;
  private final BoundedRequests bounded;
  private final Family<Counter> changes;
  private final Consumer<String> warnings;
  private Instant nextComplaint = Instant.MIN;

  /**
   * Writes for one controller.
   *
   * @param metric the name of the counter of what it changes
   */
  public SliceWrites(ControllerParts parts, Loop loop, OwnedObjects slices, String metric) {
    this.api = parts.api();
    this.time = parts.time();
    this.slices = slices;
    this.bounded = new BoundedRequests(loop, AT_ONCE);
    this.warnings = parts.warnings();
    this.changes = parts.metrics().counters(metric, "Number of EndpointSlice changes", "operation");
  }

  /** Carries a plan out, and ends its reconciliation. */
  public void begin(ObjectName service, SlicePlan plan, WorkQueue.Item item) {
    if (plan.isEmpty()) {
      item.succeeded();
      return;
    }
    Batch batch = new Batch(service, plan, item);
    for (JsonObject slice : plan.create()) {
      batch.send("create", () -> api.create(Resources.ENDPOINT_SLICES, slice), slices::created);
    }
    for (JsonObject slice : plan.update()) {
      batch.send("update", () -> api.update(Resources.ENDPOINT_SLICES, slice), _ -> {});
    }
    for (JsonObject slice : plan.delete()) {
      DeleteOptions only = DeleteOptions.NONE.onlyUid(Metadata.of(slice).uid());
      batch.send(
          "delete",
          () -> api.delete(Resources.ENDPOINT_SLICES, ObjectName.of(slice), only),
          _ -> slices.deleted(slice));
    }
  }

  /** The requests of one reconciliation. */
  private final class Batch {
    private final ObjectName service;
    private final WorkQueue.Item item;
    private int open;
    private boolean failed;

    Batch(ObjectName service, SlicePlan plan, WorkQueue.Item item) {
      this.service = service;
      this.item = item;
      this.open = plan.create().size() + plan.update().size() + plan.delete().size();
    }

    void send(String operation, Supplier<ApiResult> request, Consumer<JsonObject> done) {
      bounded.run(request, result -> answered(operation, result, done));
    }

    private void answered(String operation, ApiResult result, Consumer<JsonObject> done) {
      switch (result) {
        case ApiResult.Done(JsonObject object) -> {
          changes.with(operation).increment();
          done.accept(object);
        }
        case ApiResult.Failure why when why.isNamespaceGoing() -> {
          // The service goes as well.
        }
        case ApiResult.Failure why -> {
          failed = true;
          complain(operation, why);
        }
      }
      open--;
      if (open == 0) {
        if (failed) {
          item.failed();
        } else {
          item.succeeded();
        }
      }
    }

    private void complain(String operation, ApiResult.Failure why) {
      Instant now = time.monotonicNow();
      boolean explainsItself = why.isConflict() || why.isNotFound();
      if (!explainsItself && !now.isBefore(nextComplaint)) {
        nextComplaint = now.plus(BETWEEN_COMPLAINTS);
        warnings.accept(
            "cannot %s an endpoint slice of service %s, and tries again: %s"
                .formatted(operation, service, why.message()));
      }
    }
  }
}
