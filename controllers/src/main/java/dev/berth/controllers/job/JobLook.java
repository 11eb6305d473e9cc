package dev.berth.controllers.job;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.SlowStart;
import dev.berth.controllers.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.FailureBackoff;
import dev.berth.policy.job.JobConditions;
import dev.berth.policy.job.JobPlan;
import dev.berth.policy.job.JobPod;
import dev.berth.policy.job.JobPodDraft;
import dev.berth.policy.job.JobSnapshot;
import dev.berth.policy.job.JobSpec;
import dev.berth.policy.job.JobStatus;
import dev.berth.policy.job.PodAction;
import dev.berth.policy.owner.Ownership;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Looks at a job: claims pods, then creates or deletes some, then writes how it stands, then lets
 * pods go that are written down. {@link JobPlan} decides; the next look goes on from there.
 *
 * <p>When nobody knows whether a pod was created, because the server did not answer, the server is
 * asked which pods there are before there is another one: a job must not get more successes than it
 * wants.
 *
 * <p>It lives on its controller's loop.
 */
final class JobLook {
  /** How many jobs are looked at at once. */
  private static final int LOOKS_AT_ONCE = 64;

  private static final int REQUESTS_AT_ONCE = 32;

  private final Api api;
  private final Time time;
  private final Heard heard;
  private final PodRequests podRequests;
  private final BoundedRequests requests;

  /** Not behind all the pods of others. */
  private final BoundedRequests statuses;

  private final JobEvents events;
  private final JobMetrics metrics;
  private final WorkQueue queue;

  /** UIDs of jobs that may have pods to adopt. */
  private final Set<String> adopting = new HashSet<>();

  /** UIDs of jobs that may have pods that nobody here knows. */
  private final Set<String> uncertain = new HashSet<>();

  /** By UID of the job. */
  private final Map<String, FailureBackoff> backoffs = new HashMap<>();

  JobLook(ControllerParts parts, Loop loop, Heard heard) {
    this.api = parts.api();
    this.time = parts.time();
    this.heard = heard;
    this.podRequests = new PodRequests(api);
    this.requests = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    this.statuses = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    this.events = new JobEvents(parts, loop);
    this.metrics = new JobMetrics(parts.metrics());
    this.queue = new WorkQueue(loop, time, LOOKS_AT_ONCE, this::look);
  }

  WorkQueue queue() {
    return queue;
  }

  /** There may be pods that nobody controls and this job selects. */
  void lookForOrphans(String uid) {
    adopting.add(uid);
  }

  void forget(String uid) {
    adopting.remove(uid);
    uncertain.remove(uid);
    backoffs.remove(uid);
  }

  private void look(ObjectName name, WorkQueue.Look look) {
    heard.jobs().get(name).ifPresentOrElse(job -> look(job, look), look::succeeded);
  }

  private void look(JsonObject job, WorkQueue.Look look) {
    Metadata metadata = Metadata.of(job);
    String uid = metadata.uid();
    if (JobSpec.isManagedByAnother(job) || JobConditions.isFinished(job)) {
      forget(uid);
      look.succeeded();
      return;
    }
    if (uncertain.contains(uid)) {
      ask(job, look);
      return;
    }
    Collection<JsonObject> candidates =
        adopting.contains(uid)
            ? heard.pods().claimable(uid, metadata.namespace())
            : heard.pods().of(uid);
    Ownership ownership = Ownership.of(job, Jobs.selector(job), candidates);
    if (ownership.adopt().isEmpty()) {
      adopting.remove(uid);
    }
    if (!ownership.adopt().isEmpty() || !ownership.release().isEmpty()) {
      claim(job, ownership, look);
      return;
    }
    JobPlan plan = plan(job, ownership.owned());
    switch (plan.pods()) {
      case PodAction.None _ -> write(job, plan, new Round(plan.pods(), Optional.empty()), look);
      case PodAction.Create create -> create(job, create, look);
      case PodAction.Remove remove -> remove(job, remove, look);
      case PodAction.End end -> end(job, end, look);
    }
  }

  private JobPlan plan(JsonObject job, Collection<JsonObject> owned) {
    List<JobPod> pods = new ArrayList<>(owned.size());
    for (JsonObject pod : owned) {
      boolean isGoing = heard.pods().isBeingDeleted(pod);
      pods.add(JobPod.read(pod, isGoing, JobPod.hasFinalizer(pod)));
    }
    Optional<FailureBackoff> backoff = Optional.ofNullable(backoffs.get(Metadata.of(job).uid()));
    return JobPlan.decide(new JobSnapshot(job, pods, backoff), time.now());
  }

  /** Asks the server which pods there are. */
  private void ask(JsonObject job, WorkQueue.Look look) {
    String uid = Metadata.of(job).uid();
    requests.run(
        () -> podRequests.list(job, Jobs.selector(job)),
        result -> {
          switch (result) {
            case ListResult.Page page -> {
              page.items().stream()
                  .filter(pod -> Metadata.of(pod).isControlledBy(uid))
                  .forEach(heard.pods()::created);
              uncertain.remove(uid);
              queue.add(ObjectName.of(job));
              look.succeeded();
            }
            case ApiResult.Failure _ -> look.failed();
          }
        });
  }

  /** Has all of these done, and then the job looked at again. */
  private void claim(JsonObject job, Ownership ownership, WorkQueue.Look look) {
    String uid = Metadata.of(job).uid();
    Set<JsonObject> adopt = new HashSet<>(ownership.adopt());
    List<JsonObject> both = new ArrayList<>(ownership.adopt());
    both.addAll(ownership.release());
    // What is moot will be heard of; until then the same claims would be made again and again.
    boolean[] isMoot = {false};
    all(
        both,
        pod -> adopt.contains(pod) ? podRequests.adopt(job, pod) : podRequests.release(uid, pod),
        (_, result) -> {
          if (result instanceof ApiResult.Done(JsonObject pod) && !pod.isEmpty()) {
            heard.pods().written(pod);
          } else {
            isMoot[0] = true;
          }
        },
        () -> {
          if (isMoot[0]) {
            look.failed();
          } else {
            queue.add(ObjectName.of(job));
            look.succeeded();
          }
        });
  }

  private void create(JsonObject job, PodAction.Create create, WorkQueue.Look look) {
    JobPodDraft draft = new JobPodDraft(job);
    // Read beside the loop, by several calls at once.
    Queue<JsonObject> drafts = new ConcurrentLinkedQueue<>();
    create.pods().forEach(pod -> drafts.add(draft.make(pod)));
    SlowStart.run(
        requests,
        create.pods().size(),
        () -> podRequests.create(drafts.remove()),
        result -> created(job, result),
        failure -> done(job, new Round(create, failure), look));
  }

  private void created(JsonObject job, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject pod) -> {
        heard.pods().created(pod);
        events.created(job, pod);
      }
      case ApiResult.Unreachable why -> {
        uncertain.add(Metadata.of(job).uid());
        events.notCreated(job, why);
      }
      case ApiResult.Refused why -> {
        if (!why.isNamespaceGoing()) {
          events.notCreated(job, why);
        }
      }
    }
  }

  private void remove(JsonObject job, PodAction.Remove remove, WorkQueue.Look look) {
    List<ApiResult.Failure> failures = new ArrayList<>();
    all(
        remove.pods(),
        podRequests::remove,
        (pod, removal) -> {
          untracked(pod, removal.untracked());
          deleted(job, pod, removal.deleted(), failures);
        },
        () -> done(job, new Round(remove, failures.stream().findFirst()), look));
  }

  private void end(JsonObject job, PodAction.End end, WorkQueue.Look look) {
    List<ApiResult.Failure> failures = new ArrayList<>();
    all(
        end.pods(),
        podRequests::delete,
        (pod, result) -> deleted(job, pod, result, failures),
        () -> done(job, new Round(end, failures.stream().findFirst()), look));
  }

  private void deleted(
      JsonObject job, JsonObject pod, ApiResult result, List<ApiResult.Failure> failures) {
    switch (result) {
      case ApiResult.Done _ -> {
        heard.pods().deleted(pod);
        events.deleted(job, pod);
      }
      case ApiResult.Failure why -> {
        if (why.isNotFound()) {
          heard.pods().gone(pod);
          return;
        }
        failures.add(why);
        if (!why.isConflict()) {
          events.notDeleted(job, why);
        }
      }
    }
  }

  /** Takes note of what became of a pod's finalizer; returns whether it is gone. */
  private boolean untracked(JsonObject pod, ApiResult result) {
    if (result instanceof ApiResult.Done(JsonObject now)) {
      heard.pods().written(now);
    } else if (result.isNotFound()) {
      heard.pods().gone(pod);
    }
    return result.isDone() || result.isNotFound();
  }

  /** What a look did about pods. */
  private record Round(PodAction action, Optional<ApiResult.Failure> failure) {
    /** Whether there may be more of it to do at once. */
    boolean goesOn() {
      return !(action instanceof PodAction.None) && failure.isEmpty();
    }

    boolean isToBeRepeated() {
      return failure.filter(why -> !why.isNamespaceGoing()).isPresent();
    }
  }

  /** Pods were created or deleted, or not: writes how the job stands now. */
  private void done(JsonObject job, Round round, WorkQueue.Look look) {
    ObjectName name = ObjectName.of(job);
    String uid = Metadata.of(job).uid();
    Optional<JsonObject> now =
        heard.jobs().get(name).filter(is -> Metadata.of(is).uid().equals(uid));
    if (now.isEmpty()) {
      look.succeeded();
      return;
    }
    if (round.goesOn()) {
      queue.add(name);
    }
    Ownership ownership = Ownership.of(now.get(), Jobs.selector(now.get()), heard.pods().of(uid));
    write(now.get(), plan(now.get(), ownership.owned()), round, look);
  }

  private void write(JsonObject job, JobPlan plan, Round round, WorkQueue.Look look) {
    ObjectName name = ObjectName.of(job);
    plan.next().ifPresent(at -> queue.addAfter(name, Duration.between(time.now(), at)));
    heard
        .pods()
        .takesBackAt()
        .ifPresent(at -> queue.addAfter(name, Duration.between(time.monotonicNow(), at)));
    backoffs.put(Metadata.of(job).uid(), plan.backoff());
    JobStatus status = plan.status();
    if (status.tree().equals(job.object("status"))) {
      untrack(job, status.untrack(), round, look);
      return;
    }
    statuses.run(
        () -> api.updateStatus(Resources.JOBS, job.with("status", status.tree())),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject written) -> {
              heard.jobs().written(Jobs.named(written));
              metrics.written(job, status);
              status.events().forEach(event -> events.tell(job, event));
              if (plan.goesOn()) {
                queue.add(name);
              }
              untrack(job, status.untrack(), round, look);
            }
            case ApiResult.Failure why -> {
              metrics.looked(job, round.action(), why.isNotFound());
              if (why.isNotFound()) {
                look.succeeded();
              } else {
                look.failed();
              }
            }
          }
        });
  }

  /** Lets pods go that the status has; the next look counts them. */
  private void untrack(JsonObject job, List<JobPod> pods, Round round, WorkQueue.Look look) {
    boolean[] isFailed = {round.isToBeRepeated()};
    if (!pods.isEmpty()) {
      queue.add(ObjectName.of(job));
    }
    all(
        pods.stream().map(JobPod::tree).toList(),
        podRequests::untrack,
        (pod, result) -> isFailed[0] |= !untracked(pod, result),
        () -> {
          metrics.looked(job, round.action(), !isFailed[0]);
          if (isFailed[0]) {
            look.failed();
          } else {
            look.succeeded();
          }
        });
  }

  /** Takes what became of the request for a pod. */
  private interface Answered<T> {
    void accept(JsonObject pod, T result);
  }

  private <T> void all(
      List<JsonObject> pods,
      Function<JsonObject, T> request,
      Answered<T> answered,
      Runnable ended) {
    if (pods.isEmpty()) {
      ended.run();
      return;
    }
    int[] left = {pods.size()};
    for (JsonObject pod : pods) {
      Consumer<T> then =
          result -> {
            answered.accept(pod, result);
            left[0]--;
            if (left[0] == 0) {
              ended.run();
            }
          };
      requests.run(() -> request.apply(pod), then);
    }
  }
}
