package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.batch.JobView;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobConditions.Why;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The status of a job as it is to be written, and which pods are to lose their finalizers after
 * that. So each pod is counted once, whatever crashes in between:
 *
 * <ol>
 *   <li>The UID of a tracked pod that has ended is written into {@code uncountedTerminatedPods};
 *       its index, if it has succeeded and has one, into {@code completedIndexes}.
 *   <li>Only then the pod loses its finalizer.
 *   <li>A UID that is written there and belongs to no tracked pod moves into the counters.
 * </ol>
 *
 * <p>A job that ends says first how it will end, so that nothing that follows can change that; then
 * its pods are deleted; and it says that it has ended when all pods are counted and none is on its
 * way out. Failing, it counts the pods that it ended as failed.
 *
 * @param tree what is to be written
 * @param untrack pods that are to lose their finalizers once that is written
 * @param events what happened by it
 * @param ended how the job has ended by it
 */
public record JobStatus(
    JsonObject tree, List<JobPod> untrack, List<Note> events, Optional<Ended> ended) {

  /** How many UIDs a status may have, so that it does not grow too large. */
  static final int MOST_UNCOUNTED = 500;

  /** The end of a job. */
  public record Ended(boolean isSuccess, String reason) {}

  public JobStatus {
    untrack = List.copyOf(untrack);
    events = List.copyOf(events);
  }

  static JobStatus of(
      JobSnapshot snapshot,
      JobSpec spec,
      JobTally tally,
      Optional<JobVerdict> verdict,
      Instant now) {
    return new Writer(snapshot, spec, tally, verdict, now).write();
  }

  /** Puts one together. */
  private static final class Writer {
    private final JobSnapshot snapshot;
    private final JobSpec spec;
    private final JobTally tally;
    private final Instant now;

    private final Optional<JobVerdict> verdict;

    /** The same, but present only once no pod is active. */
    private final Optional<JobVerdict> end;

    private final List<JobPod> untrack = new ArrayList<>();
    private final List<Note> events = new ArrayList<>();
    private final Set<String> succeeded;
    private final Set<String> failed;
    private long succeededCount;
    private long failedCount;
    private JsonArray conditions;

    Writer(
        JobSnapshot snapshot,
        JobSpec spec,
        JobTally tally,
        Optional<JobVerdict> verdict,
        Instant now) {
      this.snapshot = snapshot;
      this.spec = spec;
      this.tally = tally;
      this.now = now;
      this.end = tally.active().isEmpty() ? verdict : Optional.empty();
      this.verdict = verdict;
      JobView before = snapshot.job();
      this.succeeded = new LinkedHashSet<>(before.uncountedSucceeded());
      this.failed = new LinkedHashSet<>(before.uncountedFailed());
      this.succeededCount = before.succeeded();
      this.failedCount = before.failed();
      this.conditions = before.conditions();
    }

    JobStatus write() {
      countUntracked();
      boolean all = takeDown();
      Optional<Instant> started = suspendOrResume();
      verdict.ifPresent(v -> say(v.target(), true, v.why()));
      Optional<Ended> ended = end.isPresent() ? ended(end.get(), all) : Optional.empty();
      JsonObject tree = tree(started, ended.isPresent() && ended.get().isSuccess());
      return new JobStatus(tree, untrack, events, ended);
    }

    private void countUntracked() {
      Set<String> tracked = new HashSet<>();
      snapshot.pods().stream().filter(JobPod::isTracked).forEach(pod -> tracked.add(pod.uid()));
      succeededCount += succeeded.stream().filter(uid -> !tracked.contains(uid)).count();
      succeeded.retainAll(tracked);
      failedCount += failed.stream().filter(uid -> !tracked.contains(uid)).count();
      failed.retainAll(tracked);
    }

    /** Returns whether all fit in. */
    private boolean takeDown() {
      List<JobPod> pods = new ArrayList<>(snapshot.pods());
      if (spec.isIndexed()) {
        pods.sort(Comparator.comparingLong(JobPod::index));
      }
      for (JobPod pod : pods) {
        if (!pod.isTracked() || !mayLoseFinalizer(pod)) {
          continue;
        }
        if (untrack.size() >= MOST_UNCOUNTED) {
          return false;
        }
        untrack.add(pod);
        if (!spec.isValid(pod.index())) {
          continue;
        }
        if (pod.phase() == PodPhase.SUCCEEDED) {
          if (!spec.isIndexed() && !failed.contains(pod.uid())) {
            succeeded.add(pod.uid());
          }
        } else if (isFailure(pod) && FailurePolicy.counts(spec.failureRules(), pod)) {
          failed.add(pod.uid());
        }
      }
      return true;
    }

    private boolean mayLoseFinalizer(JobPod pod) {
      return snapshot.isBeingDeleted()
          || end.isPresent()
          || pod.phase() == PodPhase.SUCCEEDED
          || (pod.hasFailed(spec) && !tally.isHeld(pod));
    }

    private boolean isFailure(JobPod pod) {
      return end.isPresent()
          ? !end.get().isSuccess() || pod.phase() == PodPhase.FAILED
          : pod.hasFailed(spec);
    }

    /** Returns since when the job is active. */
    private Optional<Instant> suspendOrResume() {
      Optional<Instant> start = snapshot.job().startTime();
      if (verdict.isEmpty() && !snapshot.isBeingDeleted()) {
        boolean was = Conditions.isTrue(conditions, JobView.SUSPENDED);
        if (spec.isSuspended() && !was) {
          say(JobView.SUSPENDED, true, new Why("JobSuspended", "Job suspended"));
          events.add(new Note(false, "Suspended", "Job suspended"));
        } else if (!spec.isSuspended() && was) {
          say(JobView.SUSPENDED, false, new Why("JobResumed", "Job resumed"));
          events.add(new Note(false, "Resumed", "Job resumed"));
          return Optional.of(now);
        }
        if (spec.isSuspended()) {
          return Optional.empty();
        }
      }
      return start.or(
          () -> spec.isSuspended() && end.isEmpty() ? Optional.empty() : Optional.of(now));
    }

    private void say(String type, boolean isSo, Why why) {
      conditions = JobConditions.set(conditions, type, isSo, why, now);
    }

    private Optional<Ended> ended(JobVerdict how, boolean all) {
      boolean isOver =
          how.isSaid()
              && all
              && untrack.isEmpty()
              && succeeded.isEmpty()
              && failed.isEmpty()
              && tally.terminating() == 0;
      if (!isOver) {
        return Optional.empty();
      }
      say(how.end(), true, how.why());
      long total = spec.isIndexed() ? tally.succeeded() : succeededCount;
      if (how.isSuccess()) {
        if (spec.completions().isPresent() && total > spec.completions().getAsLong()) {
          events.add(
              new Note(
                  true,
                  "TooManySucceededPods",
                  "Too many succeeded pods running after completion count reached"));
        }
        events.add(new Note(false, "Completed", "Job completed"));
      } else {
        events.add(new Note(true, how.why().reason(), how.why().message()));
      }
      return Optional.of(new Ended(how.isSuccess(), how.isSuccess() ? "" : how.why().reason()));
    }

    private JsonObject tree(Optional<Instant> started, boolean isComplete) {
      JsonObject.Builder status = new JsonObject.Builder();
      if (!conditions.isEmpty()) {
        status.put("conditions", conditions);
      }
      started.ifPresent(at -> status.put("startTime", Times.format(at)));
      if (isComplete) {
        status.put("completionTime", Times.format(now));
      }
      put(status, "active", tally.active().size());
      put(status, "succeeded", spec.isIndexed() ? tally.succeeded() : succeededCount);
      put(status, "failed", failedCount);
      status.put("terminating", tally.terminating());
      String completed = tally.succeededIndexes().toString();
      if (!completed.isEmpty()) {
        status.put("completedIndexes", completed);
      }
      tally.failedIndexes().ifPresent(f -> status.put("failedIndexes", f.toString()));
      JsonObject.Builder uncounted = new JsonObject.Builder();
      put(uncounted, "succeeded", succeeded);
      put(uncounted, "failed", failed);
      return status
          .put("uncountedTerminatedPods", uncounted.build())
          .put("ready", tally.ready())
          .build();
    }

    /** What is none is left out, as upstream does. */
    private static void put(JsonObject.Builder tree, String field, long count) {
      if (count != 0) {
        tree.put(field, count);
      }
    }

    private static void put(JsonObject.Builder tree, String field, Set<String> uids) {
      if (!uids.isEmpty()) {
        tree.put(field, JsonArray.copyOf(List.copyOf(uids)));
      }
    }
  }
}
