package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.batch.JobView;
import dev.berth.model.batch.PodFailurePolicyRule.Action;
import dev.berth.model.core.PodPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pods of a job, counted. What the status says counts, and so does what it is yet to say: pods
 * whose UIDs are among its {@code uncountedTerminatedPods}, and pods that have ended, are tracked,
 * and are not among those.
 *
 * <p>An index has succeeded or failed once and for all, whatever becomes of other pods with it. Of
 * an index that failed, may try again and has no pod, one failed pod is held, with its finalizer,
 * until another takes its place: it says how often the index failed.
 *
 * @param succeeded how many pods have, or how many indexes
 * @param failed how many pods have, those aside that do not count
 * @param succeededIndexes none if the job has no indexes
 * @param failedIndexes empty if indexes are not judged by themselves
 * @param held by index
 */
record JobTally(
    List<JobPod> active,
    long ready,
    long terminating,
    long succeeded,
    long failed,
    Indexes succeededIndexes,
    Optional<Indexes> failedIndexes,
    Map<Long, JobPod> held) {

  static JobTally of(JobSnapshot snapshot, JobSpec spec) {
    JobView job = snapshot.job();
    Set<String> uncountedSucceeded = new HashSet<>(job.uncountedSucceeded());
    Set<String> uncountedFailed = new HashSet<>(job.uncountedFailed());
    List<JobPod> active = new ArrayList<>();
    List<JobPod> failures = new ArrayList<>();
    Set<Long> newIndexes = new HashSet<>();
    long ready = 0;
    long terminating = 0;
    long succeeded = job.succeeded() + uncountedSucceeded.size();
    long failed = job.failed() + uncountedFailed.size();
    for (JobPod pod : snapshot.pods()) {
      if (pod.isActive()) {
        active.add(pod);
        ready += pod.isReady() ? 1 : 0;
      }
      terminating += pod.isTerminating() ? 1 : 0;
      if (!pod.isTracked() || !spec.isValid(pod.index())) {
        continue;
      }
      if (pod.phase() == PodPhase.SUCCEEDED) {
        succeeded += uncountedSucceeded.contains(pod.uid()) ? 0 : 1;
        newIndexes.add(pod.index());
      } else if (pod.hasFailed(spec)) {
        failures.add(pod);
        boolean isNew = !uncountedFailed.contains(pod.uid());
        failed += isNew && FailurePolicy.counts(spec.failureRules(), pod) ? 1 : 0;
      }
    }
    Indexes succeededIndexes = Indexes.NONE;
    Optional<Indexes> failedIndexes = Optional.empty();
    Map<Long, JobPod> held = Map.of();
    if (spec.isIndexed()) {
      long end = spec.completions().orElse(0);
      Indexes failedBefore = Indexes.parse(job.failedIndexes(), end);
      newIndexes.removeIf(failedBefore::has);
      succeededIndexes = Indexes.parse(job.completedIndexes(), end).and(Indexes.of(newIndexes));
      succeeded = succeededIndexes.size();
      if (spec.perIndex().isPresent()) {
        // The pods that an ending job has deleted did not fail.
        if (job.isEnding()) {
          failures.removeIf(pod -> pod.phase() != PodPhase.FAILED);
        }
        Indexes all = failedBefore.and(newlyFailed(failures, spec, succeededIndexes));
        failedIndexes = Optional.of(all);
        held = held(active, failures, succeededIndexes.and(all));
      }
    }
    return new JobTally(
        active, ready, terminating, succeeded, failed, succeededIndexes, failedIndexes, held);
  }

  private static Indexes newlyFailed(List<JobPod> failures, JobSpec spec, Indexes succeeded) {
    Set<Long> failed = new HashSet<>();
    for (JobPod pod : failures) {
      Optional<Action> action =
          FailurePolicy.match(spec.failureRules(), pod).map(FailurePolicy.Match::action);
      boolean isLast = pod.failures() >= spec.perIndex().orElse(0);
      boolean ends =
          action
              .map(a ->
                  switch (a) {
                    case FAIL_INDEX -> true;
                    case IGNORE -> false;
                    case COUNT, FAIL_JOB, UNKNOWN -> isLast;
                  })
              .orElse(isLast);
      if (ends && !succeeded.has(pod.index())) {
        failed.add(pod.index());
      }
    }
    return Indexes.of(failed);
  }

  private static Map<Long, JobPod> held(List<JobPod> active, List<JobPod> failures, Indexes ended) {
    Set<Long> running = new HashSet<>();
    active.forEach(pod -> running.add(pod.index()));
    Comparator<JobPod> later =
        Comparator.comparingLong((JobPod pod) -> pod.failures() + pod.ignoredFailures())
            .thenComparing(JobPod::endedAt)
            .thenComparing(JobPod::uid);
    Map<Long, JobPod> held = new HashMap<>();
    for (JobPod pod : failures) {
      if (!ended.has(pod.index()) && !running.contains(pod.index())) {
        held.merge(pod.index(), pod, (a, b) -> later.compare(a, b) >= 0 ? a : b);
      }
    }
    return held;
  }

  boolean isHeld(JobPod pod) {
    JobPod kept = held.get(pod.index());
    return kept != null && kept.uid().equals(pod.uid());
  }
}
