package dev.berth.controllers.job;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.PodControl;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.model.batch.JobView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.FailureBackoff;
import dev.berth.policy.job.JobAction;
import dev.berth.policy.job.JobPlan;
import dev.berth.policy.job.JobPod;
import dev.berth.policy.job.JobPodDraft;
import dev.berth.policy.job.JobSnapshot;
import dev.berth.policy.job.NewPod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs the pods of jobs to their end; {@link JobPlan} says what that takes. {@link StrayPods} frees
 * pods that no job will count.
 *
 * <ol>
 *   <li>A job that is new or has changed is reconciled at once. What happens to its pods waits a
 *       little, so that the status of a job with many pods is not written for each of them.
 *   <li>When nobody knows whether a pod was created, because the server did not answer, the server
 *       is asked which pods there are before there is another one: a job must not get more
 *       successes than it wants.
 * </ol>
 */
public final class JobController
    implements Reconciler<JobSnapshot, JobAction, JobPlan>, OwnershipRules {
  /** The service account under which it works. */
  public static final String ACCOUNT = "job-controller";

  static final ObjectKind KIND = new ObjectKind(Resources.JOBS, "Job");

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(KIND, ACCOUNT, "job", 64, 32);

  /** A job with more pods than this waits longer for more to happen. */
  private static final int MANY = 50;

  private static final Optional<Duration> PACE = Optional.of(Duration.ofMillis(50));
  private static final Optional<Duration> PACE_OF_MANY = Optional.of(Duration.ofMillis(300));
  private static final int FREED_AT_ONCE = 16;

  private final ReconcilerFrame<JobSnapshot, JobAction, JobPlan> frame;
  private final PodRequests requests;
  private final JobMetrics metrics;
  private final StrayPods strays;

  /** By UID of the job. */
  private final Map<String, FailureBackoff> backoffs = new HashMap<>();

  private JobController(ControllerParts parts) {
    this.requests = new PodRequests(parts.api());
    this.metrics = new JobMetrics(parts.metrics());
    this.frame = new ReconcilerFrame<>(parts, SETTINGS, this).owns(Resources.PODS, this);
    this.strays =
        new StrayPods(
            requests,
            new RetryingRequests(frame.loop(), parts.time(), FREED_AT_ONCE),
            frame.objects(),
            frame.owned());
  }

  public static Controller start(ControllerParts parts) {
    return new JobController(parts).frame.start();
  }

  /** An adopted pod is tracked, a released one is not. */
  @Override
  public JsonObject adopted() {
    return PodRequests.TRACKED;
  }

  @Override
  public JsonObject released() {
    return PodRequests.UNTRACKED;
  }

  @Override
  public Optional<Duration> concernsOwner(
      @Nullable JsonObject before, @Nullable JsonObject after, int pods) {
    boolean isNews = before == null || after == null || JobPod.isNews(before, after);
    return isNews ? pods > MANY ? PACE_OF_MANY : PACE : NOT;
  }

  @Override
  public boolean asksAfterLostAnswers() {
    return true;
  }

  @Override
  public boolean isToBeReconciled(JsonObject tree) {
    JobView job = new JobView(tree);
    return !job.isFinished() && !job.isManagedByAnother();
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject job = after == null ? before : after;
    if (job != null && (after == null || new JobView(job).isFinished())) {
      String uid = Metadata.of(job).uid();
      backoffs.remove(uid);
      strays.left(frame.owned().of(uid));
    }
  }

  @Override
  public void ownedChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      strays.podChanged(after);
    }
  }

  @Override
  public JobSnapshot snapshot(Reconciliation run, List<JsonObject> pods) {
    OwnedObjects known = frame.owned();
    return new JobSnapshot(
        new JobView(run.object()),
        pods.stream()
            .map(pod -> JobPod.read(pod, known.isBeingDeleted(pod), JobPod.hasFinalizer(pod)))
            .toList(),
        Optional.ofNullable(backoffs.get(Metadata.of(run.object()).uid())));
  }

  @Override
  public JobPlan decide(JobSnapshot snapshot, Instant now) {
    return JobPlan.decide(snapshot, now);
  }

  @Override
  public void decided(Reconciliation run, JobPlan plan) {
    backoffs.put(Metadata.of(run.object()).uid(), plan.backoff());
  }

  @Override
  public boolean countsAfterActions() {
    return true;
  }

  @Override
  public void apply(Reconciliation run, JobAction action) {
    JobView job = new JobView(run.object());
    long wanted = job.readSpec().parallelism();
    switch (action) {
      case JobAction.Create(List<NewPod> pods) -> {
        JobPodDraft draft = new JobPodDraft(job);
        PodControl.create(run, pods.stream().map(draft::make).toList(), wanted);
      }
      case JobAction.Remove(List<JsonObject> pods) ->
          pods.forEach(pod ->
              run.request(
                  () -> requests.remove(pod),
                  removal -> {
                    untracked(pod, removal.untracked());
                    run.deleted(pod, removal.deleted());
                    PodControl.deleted(run, pod, wanted, removal.deleted());
                  }));
      case JobAction.End(List<JsonObject> pods) -> PodControl.delete(run, pods, wanted);
      case JobAction.Untrack(List<JsonObject> pods) ->
          pods.forEach(pod ->
              run.request(
                  () -> requests.untrack(pod),
                  result -> {
                    if (!untracked(pod, result)) {
                      run.retry();
                    }
                  }));
    }
  }

  /** Takes note of what became of a pod's finalizer; returns whether it is gone. */
  private boolean untracked(JsonObject pod, ApiResult result) {
    if (result instanceof ApiResult.Done(JsonObject now)) {
      frame.owned().written(now);
    } else if (result.isNotFound()) {
      frame.owned().gone(pod);
    }
    return result.isDone() || result.isNotFound();
  }

  @Override
  public void statusWritten(Reconciliation run, JobPlan plan) {
    metrics.written(plan);
  }

  @Override
  public void ended(Reconciliation run, JobPlan plan) {
    metrics.synced(plan, !run.hasFailed());
  }
}
