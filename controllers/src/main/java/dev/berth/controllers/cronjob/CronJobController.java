package dev.berth.controllers.cronjob;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.metrics.Histogram;
import dev.berth.model.batch.CronJobView;
import dev.berth.model.batch.JobReference;
import dev.berth.model.batch.JobView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cronjob.CronJobAction;
import dev.berth.policy.cronjob.CronJobChild;
import dev.berth.policy.cronjob.CronJobPlan;
import dev.berth.policy.cronjob.CronJobSnapshot;
import dev.berth.policy.reconcile.Note;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts jobs at the times that cron jobs say; {@link CronJobPlan} says when and what else. */
public final class CronJobController
    implements Reconciler<CronJobSnapshot, CronJobAction, CronJobPlan> {
  /** The service account under which it works. */
  public static final String ACCOUNT = "cronjob-controller";

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          new ObjectKind(Resources.CRON_JOBS, "CronJob"), ACCOUNT, "cronjob", 32, 32);

  private static final String FAILED_CREATE = "FailedCreate";

  private static final List<Double> SKEW =
      List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0);

  private final Api api;
  private final Time time;
  private final Histogram skew;
  private final ReconcilerFrame<CronJobSnapshot, CronJobAction, CronJobPlan> frame;
  private final Memories<Memory> memories;

  /** What the objects do not say. */
  private static final class Memory {
    private Optional<Instant> started = Optional.empty();
    private Optional<Instant> rescheduled = Optional.empty();

    /** UIDs of jobs that were looked for and are not there. */
    private final Set<String> gone = new HashSet<>();

    /** What was said last, and need not be said again. */
    private List<Note> said = List.of();
  }

  private CronJobController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.skew =
        parts
            .metrics()
            .histograms(
                "cronjob_controller_job_creation_skew_duration_seconds",
                "Time between when a cronjob is scheduled to be run, and when the corresponding job"
                    + " is created",
                SKEW)
            .with();
    this.frame = new ReconcilerFrame<>(parts, SETTINGS, this);
    this.memories = frame.remembers(Memory::new);
  }

  public static Controller start(ControllerParts parts) {
    return new CronJobController(parts)
        .frame
        .owns(Resources.JOBS, OwnershipRules.BY_REFERENCE)
        .start();
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null
        && after != null
        && CronJobView.read(after).isRescheduledSince(CronJobView.read(before))) {
      memories.of(after).rescheduled = Optional.of(time.now());
    }
  }

  @Override
  public CronJobSnapshot snapshot(Reconciliation run, List<JsonObject> jobs) {
    OwnedObjects known = frame.owned();
    Memory memory = memories.of(run.object());
    return new CronJobSnapshot(
        CronJobView.read(run.object()),
        jobs.stream()
            .map(job -> new CronJobChild(new JobView(job), known.isBeingDeleted(job)))
            .toList(),
        memory.gone,
        memory.started,
        memory.rescheduled,
        memory.said);
  }

  @Override
  public CronJobPlan decide(CronJobSnapshot snapshot, Instant now) {
    return CronJobPlan.decide(snapshot, now);
  }

  @Override
  public void apply(Reconciliation run, CronJobAction action) {
    switch (action) {
      case CronJobAction.Check(List<JobReference> jobs) -> jobs.forEach(job -> check(run, job));
      case CronJobAction.Delete(List<JsonObject> jobs) ->
          jobs.forEach(job ->
              run.delete(
                  job,
                  DeleteOptions.NONE.propagation(Propagation.BACKGROUND),
                  result -> deleted(run, job, result)));
      case CronJobAction.Start start ->
          run.create(
              start.job(),
              result -> {
                if (result.isAlreadyExists()) {
                  // It may have been created by a request whose answer was lost, or before a crash.
                  run.request(
                      () -> api.get(Resources.JOBS, ObjectName.of(start.job())),
                      found -> started(run, start.time(), found, false));
                } else {
                  started(run, start.time(), result, true);
                }
              });
    }
  }

  private void check(Reconciliation run, JobReference reference) {
    Metadata cronJob = Metadata.of(run.object());
    run.request(
        () -> api.get(Resources.JOBS, new ObjectName(cronJob.namespace(), reference.name())),
        result -> {
          if (result instanceof ApiResult.Done(JsonObject job)
              && Metadata.of(job).uid().equals(reference.uid())
              && Metadata.of(job).isControlledBy(cronJob.uid())) {
            frame.owned().created(job);
          } else if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
            run.fail("FailedGet", why);
          } else {
            memories.of(run.object()).gone.add(reference.uid());
          }
        });
  }

  private static void deleted(Reconciliation run, JsonObject job, ApiResult result) {
    if (result.isDone()) {
      tell(run, Note.normal("SuccessfulDelete", "Deleted job " + Metadata.of(job).name()));
    } else if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
      tell(run, Note.warning("FailedDelete", "Deleted job: " + why.message()));
      run.fail("FailedDelete", why);
    }
  }

  /**
   * A job was to be started.
   *
   * @param isNew whether it was created now, or was there already
   */
  private void started(Reconciliation run, Instant due, ApiResult result, boolean isNew) {
    switch (result) {
      case ApiResult.Done(JsonObject job) -> {
        Metadata metadata = Metadata.of(job);
        if (!metadata.isControlledBy(Metadata.of(run.object()).uid())) {
          String message = "Error creating job: somebody else's job is called " + metadata.name();
          tell(run, Note.warning(FAILED_CREATE, message));
          run.waitForNews();
          return;
        }
        frame.owned().created(job);
        memories.of(run.object()).started = Optional.of(due);
        if (isNew) {
          metadata.creationTimestamp().ifPresent(at -> skew.observe(Duration.between(due, at)));
          tell(run, Note.normal("SuccessfulCreate", "Created job " + metadata.name()));
        }
      }
      case ApiResult.Failure why -> {
        if (why.isNamespaceGoing()) {
          run.waitForNews();
        } else {
          tell(run, Note.warning(FAILED_CREATE, "Error creating job: " + why.message()));
          run.fail(FAILED_CREATE, why);
        }
      }
    }
  }

  /** Says what was not said the last time. */
  @Override
  public void decided(Reconciliation run, CronJobPlan plan) {
    Memory memory = memories.of(run.object());
    plan.remarks().stream()
        .filter(note -> !memory.said.contains(note))
        .forEach(note -> tell(run, note));
    memory.said = plan.remarks();
  }

  @Override
  public void statusWritten(Reconciliation run, CronJobPlan plan) {
    memories.of(run.object()).gone.clear();
  }

  private static void tell(Reconciliation run, Note note) {
    run.event(note, "Reconciling");
  }
}
