package dev.berth.controllers.cronjob;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.EventRecorder;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.metrics.Histogram;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cronjob.CronJobChild;
import dev.berth.policy.cronjob.CronJobDecision;
import dev.berth.policy.cronjob.CronJobNote;
import dev.berth.policy.cronjob.CronJobStep;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks at a cron job and does what is to be done next, until nothing is.
 *
 * <p>It lives on its controller's loop.
 */
final class CronJobLook {
  private static final int LOOKS_AT_ONCE = 32;
  private static final int REQUESTS_AT_ONCE = 32;

  private static final List<Double> SKEW =
      List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0);

  private final Api api;
  private final Time time;
  private final KnownObjects cronJobs;
  private final OwnedObjects jobs;
  private final BoundedRequests requests;
  private final EventRecorder events;
  private final WorkQueue queue;
  private final Histogram skew;

  /** By uid of the cron job. */
  private final Map<String, Memory> memories = new HashMap<>();

  /** What the objects do not say. All of it may be forgotten without harm. */
  private static final class Memory {
    private Optional<Instant> started = Optional.empty();
    private Optional<Instant> rescheduled = Optional.empty();

    /** Uids of jobs that were looked for and are not there. */
    private final Set<String> gone = new HashSet<>();

    /** What was said at the last look, and need not be said again. */
    private List<CronJobNote> said = List.of();
  }

  CronJobLook(ControllerParts parts, Loop loop, KnownObjects cronJobs, OwnedObjects jobs) {
    this.api = parts.api();
    this.time = parts.time();
    this.cronJobs = cronJobs;
    this.jobs = jobs;
    this.requests = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    this.events = new EventRecorder(api, loop, time, CronJobs.ACCOUNT, parts.instance());
    this.queue = new WorkQueue(parts, loop, "cronjob", LOOKS_AT_ONCE, this::look);
    this.skew =
        parts
            .metrics()
            .histograms(
                "cronjob_controller_job_creation_skew_duration_seconds",
                "Time between when a cronjob is scheduled to be run, and when the corresponding job"
                    + " is created",
                SKEW)
            .with();
  }

  WorkQueue queue() {
    return queue;
  }

  void rescheduled(JsonObject cronJob) {
    memory(cronJob).rescheduled = Optional.of(time.now());
  }

  /** A cron job is gone. */
  void forget(JsonObject cronJob) {
    memories.remove(Metadata.of(cronJob).uid());
    if (cronJobs.get(ObjectName.of(cronJob)).isEmpty()) {
      queue.forget(ObjectName.of(cronJob));
    }
  }

  private Memory memory(JsonObject cronJob) {
    return memories.computeIfAbsent(Metadata.of(cronJob).uid(), _ -> new Memory());
  }

  private void look(ObjectName name, WorkQueue.Item item) {
    Optional<JsonObject> known = cronJobs.get(name);
    if (known.isEmpty()) {
      item.succeeded();
      return;
    }
    JsonObject cronJob = known.get();
    Memory memory = memory(cronJob);
    List<CronJobChild> children =
        jobs.of(Metadata.of(cronJob).uid()).stream()
            .map(job -> new CronJobChild(job, jobs.isBeingDeleted(job)))
            .toList();
    jobs.takesBackAt()
        .ifPresent(at -> queue.addAfter(name, Duration.between(time.monotonicNow(), at)));
    CronJobStep step =
        CronJobDecision.decide(
            cronJob,
            new CronJobDecision.Known(
                children, Set.copyOf(memory.gone), memory.started, memory.rescheduled),
            time.now());
    take(cronJob, step, item);
  }

  private void lookAt(ObjectName name, Instant at) {
    queue.addAfter(name, Duration.between(time.now(), at));
  }

  private void take(JsonObject cronJob, CronJobStep step, WorkQueue.Item item) {
    switch (step) {
      case CronJobStep.Check(List<JsonObject> references) -> check(cronJob, references, item);
      case CronJobStep.Write(JsonObject status, List<CronJobNote> notes) -> {
        notes.forEach(note -> tell(cronJob, note));
        write(cronJob, status, item);
      }
      case CronJobStep.Clean(List<JsonObject> surplus) ->
          deleteAll(cronJob, surplus, isDone -> proceed(cronJob, isDone, item));
      case CronJobStep.Start start ->
          deleteAll(
              cronJob,
              start.replaced(),
              isDone -> {
                if (isDone) {
                  start(cronJob, start, item);
                } else {
                  item.failed();
                }
              });
      case CronJobStep.Wait wait -> {
        rest(cronJob, wait);
        item.succeeded();
      }
    }
  }

  /** Nothing is to be done until a time. */
  private void rest(JsonObject cronJob, CronJobStep.Wait wait) {
    say(cronJob, wait.notes());
    wait.until().ifPresent(at -> lookAt(ObjectName.of(cronJob), at));
  }

  private void say(JsonObject cronJob, List<CronJobNote> notes) {
    Memory memory = memory(cronJob);
    notes.stream().filter(note -> !memory.said.contains(note)).forEach(note -> tell(cronJob, note));
    memory.said = notes;
  }

  /** A step was done, or was not: then it is tried again after a while. */
  private void proceed(JsonObject cronJob, boolean isDone, WorkQueue.Item item) {
    if (isDone) {
      queue.add(ObjectName.of(cronJob));
      item.succeeded();
    } else {
      item.failed();
    }
  }

  private void check(JsonObject cronJob, List<JsonObject> references, WorkQueue.Item item) {
    String uid = Metadata.of(cronJob).uid();
    Memory memory = memory(cronJob);
    each(
        references,
        (reference, then) -> {
          ObjectName name =
              new ObjectName(ObjectName.of(cronJob).namespace(), reference.text("name", ""));
          String expected = reference.text("uid", "");
          requests.run(
              () -> api.get(Resources.JOBS, name),
              result -> {
                boolean isThere =
                    result instanceof ApiResult.Done(JsonObject job)
                        && Metadata.of(job).uid().equals(expected)
                        && Metadata.of(job).isControlledBy(uid);
                if (isThere && result instanceof ApiResult.Done(JsonObject job)) {
                  jobs.created(job);
                } else if (result.isDone() || result.isNotFound()) {
                  memory.gone.add(expected);
                }
                then.accept(result.isDone() || result.isNotFound());
              });
        },
        isDone -> proceed(cronJob, isDone, item));
  }

  private void write(JsonObject cronJob, JsonObject status, WorkQueue.Item item) {
    requests.run(
        () -> api.updateStatus(Resources.CRON_JOBS, cronJob.with("status", status)),
        result -> {
          if (result instanceof ApiResult.Done(JsonObject written)) {
            cronJobs.written(CronJobs.named(written));
            memory(cronJob).gone.clear();
          }
          proceed(cronJob, result.isDone() || result.isNotFound(), item);
        });
  }

  private void start(JsonObject cronJob, CronJobStep.Start start, WorkQueue.Item item) {
    requests.run(
        () -> {
          ApiResult made = api.create(Resources.JOBS, start.job());
          return made.isAlreadyExists()
              ? new Created(api.get(Resources.JOBS, ObjectName.of(start.job())), false)
              : new Created(made, true);
        },
        created -> started(cronJob, start, created, item));
  }

  /**
   * What became of a job that was to be created.
   *
   * @param isNew whether it was created now, or was there already
   */
  private record Created(ApiResult result, boolean isNew) {}

  private void started(
      JsonObject cronJob, CronJobStep.Start start, Created created, WorkQueue.Item item) {
    switch (created.result()) {
      case ApiResult.Done(JsonObject job) -> {
        Metadata metadata = Metadata.of(job);
        if (!metadata.isControlledBy(Metadata.of(cronJob).uid())) {
          String note = "Error creating job: somebody else's job is called " + metadata.name();
          tell(cronJob, warning("FailedCreate", note));
          rest(cronJob, start.otherwise());
          item.succeeded();
          return;
        }
        jobs.created(job);
        memory(cronJob).started = Optional.of(start.time());
        if (created.isNew()) {
          say(cronJob, start.otherwise().notes());
          metadata
              .creationTimestamp()
              .ifPresent(at -> skew.observe(Duration.between(start.time(), at)));
          String note = "Created job " + metadata.name();
          tell(cronJob, new CronJobNote(false, "SuccessfulCreate", note));
        }
        proceed(cronJob, true, item);
      }
      case ApiResult.Failure why -> {
        if (why.isNamespaceGoing()) {
          rest(cronJob, start.otherwise());
          item.succeeded();
        } else {
          tell(cronJob, warning("FailedCreate", "Error creating job: " + why.message()));
          item.failed();
        }
      }
    }
  }

  private void deleteAll(JsonObject cronJob, List<JsonObject> which, Consumer<Boolean> ended) {
    each(
        which,
        (job, then) -> {
          DeleteOptions options =
              DeleteOptions.NONE
                  .onlyUid(Metadata.of(job).uid())
                  .propagation(Propagation.BACKGROUND);
          requests.run(
              () -> api.delete(Resources.JOBS, ObjectName.of(job), options),
              result -> then.accept(deleted(cronJob, job, result)));
        },
        ended);
  }

  private boolean deleted(JsonObject cronJob, JsonObject job, ApiResult result) {
    return switch (result) {
      case ApiResult.Done _ -> {
        jobs.deleted(job);
        String note = "Deleted job " + Metadata.of(job).name();
        tell(cronJob, new CronJobNote(false, "SuccessfulDelete", note));
        yield true;
      }
      case ApiResult.Failure why -> {
        if (why.isNotFound()) {
          jobs.deleted(job);
          yield true;
        }
        tell(cronJob, warning("FailedDelete", "Deleted job: " + why.message()));
        yield false;
      }
    };
  }

  /** Something that is done about one of several objects, and tells at the end whether it was. */
  private interface Task {
    void run(JsonObject object, Consumer<Boolean> then);
  }

  private static void each(List<JsonObject> objects, Task task, Consumer<Boolean> ended) {
    if (objects.isEmpty()) {
      ended.accept(true);
      return;
    }
    int[] left = {objects.size()};
    boolean[] isDone = {true};
    for (JsonObject object : objects) {
      task.run(
          object,
          done -> {
            isDone[0] &= done;
            if (--left[0] == 0) {
              ended.accept(isDone[0]);
            }
          });
    }
  }

  private static CronJobNote warning(String reason, String message) {
    return new CronJobNote(true, reason, message);
  }

  private void tell(JsonObject cronJob, CronJobNote note) {
    EventRecorder.Type type =
        note.isWarning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL;
    events.record(cronJob, type, note.reason(), "Reconciling", note.message());
  }
}
