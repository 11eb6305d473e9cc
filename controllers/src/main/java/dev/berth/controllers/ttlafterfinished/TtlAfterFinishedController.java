package dev.berth.controllers.ttlafterfinished;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.TimeToLive;
import dev.berth.policy.job.TtlAction;
import dev.berth.policy.job.TtlPlan;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.List;

/**
 * Deletes jobs that have finished, and with them their pods, when {@link TtlPlan} says so. A job is
 * read once more before that, and deleted only as it was read: somebody may have given it more
 * time.
 */
public final class TtlAfterFinishedController
    implements Reconciler<TimeToLive, TtlAction, TtlPlan> {
  /** The service account under which it works. */
  public static final String ACCOUNT = "ttl-after-finished-controller";

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          new ObjectKind(Resources.JOBS, "Job"), ACCOUNT, "ttl_jobs_to_delete", 16, 16);

  private final Api api;
  private final Time time;

  private TtlAfterFinishedController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
  }

  public static Controller start(ControllerParts parts) {
    return new ReconcilerFrame<>(parts, SETTINGS, new TtlAfterFinishedController(parts)).start();
  }

  @Override
  public boolean isToBeReconciled(JsonObject job) {
    return TimeToLive.read(job).endsAt().isPresent();
  }

  @Override
  public TimeToLive snapshot(Reconciliation run, List<JsonObject> owned) {
    return TimeToLive.read(run.object());
  }

  @Override
  public TtlPlan decide(TimeToLive ttl, Instant now) {
    return TtlPlan.decide(ttl, now);
  }

  @Override
  public void apply(Reconciliation run, TtlAction action) {
    switch (action) {
      case TtlAction.Delete(JsonObject job) -> {
        Instant now = time.now();
        run.request(
            () -> delete(ObjectName.of(job), now),
            result -> {
              if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
                run.fail("FailedDelete", why);
              } else {
                // Whatever it is now will be heard of.
                run.waitForNews();
              }
            });
      }
    }
  }

  /** Deletes a job if that is still wanted; blocks. */
  private ApiResult delete(ObjectName name, Instant now) {
    ApiResult found = api.get(Resources.JOBS, name);
    if (!(found instanceof ApiResult.Done(JsonObject job)) || !TimeToLive.read(job).isOver(now)) {
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
}
