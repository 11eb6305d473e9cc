package dev.berth.controllers.ttlafterfinished;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.TimeToLive;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes jobs that have finished, and with them their pods, when {@link TimeToLive} says so. A job
 * is read once more before that, and deleted only as it was read: somebody may have given it more
 * time.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable: the times are in the jobs.
 */
public final class TtlAfterFinished implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "ttl-after-finished-controller";

  private static final int AT_ONCE = 16;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final KnownObjects jobs = new KnownObjects();
  private final BoundedRequests requests;
  private final WorkQueue queue;

  private TtlAfterFinished(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start(ACCOUNT);
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, "ttl_jobs_to_delete", AT_ONCE, this::look);
    this.informers = new InformerSet(parts.informers(), loop, () -> {}, parts.warnings());
    informers.on(Resources.JOBS, this::changed);
  }

  public static TtlAfterFinished start(ControllerParts parts) {
    TtlAfterFinished controller = new TtlAfterFinished(parts);
    controller.informers.start();
    return controller;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    jobs.changed(before, after);
    if (after != null && TimeToLive.endsAt(after).isPresent()) {
      queue.add(ObjectName.of(after));
    }
  }

  private void look(ObjectName name, WorkQueue.Item item) {
    Optional<Instant> end = jobs.get(name).flatMap(TimeToLive::endsAt);
    if (end.isEmpty()) {
      item.succeeded();
    } else if (end.get().isAfter(time.now())) {
      queue.addAfter(name, Duration.between(time.now(), end.get()));
      item.succeeded();
    } else {
      requests.run(
          () -> delete(name, time.now()),
          result -> {
            if (result.isDone() || result.isNotFound()) {
              item.succeeded();
            } else {
              item.failed();
            }
          });
    }
  }

  /** Deletes a job if that is still wanted; blocks. */
  private ApiResult delete(ObjectName name, Instant now) {
    ApiResult found = api.get(Resources.JOBS, name);
    if (!(found instanceof ApiResult.Done(JsonObject job))) {
      return found;
    }
    boolean isOver = TimeToLive.endsAt(job).filter(end -> !end.isAfter(now)).isPresent();
    if (!isOver) {
      // Whatever it is now will be heard of.
      return found;
    }
    Metadata metadata = Metadata.of(job);
    DeleteOptions options =
        DeleteOptions.NONE
            .propagation(DeleteOptions.Propagation.FOREGROUND)
            .onlyUid(metadata.uid())
            .onlyRevision(metadata.resourceVersion());
    return api.delete(Resources.JOBS, name, options);
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
