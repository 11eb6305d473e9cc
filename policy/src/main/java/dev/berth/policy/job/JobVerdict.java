package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.batch.JobView;
import dev.berth.model.batch.PodFailurePolicyRule.Action;
import dev.berth.policy.job.JobConditions.Why;
import java.time.Instant;
import java.util.Optional;

/**
 * How a job ends, if it does. What was once said stands; otherwise the first of these holds:
 *
 * <ol>
 *   <li>it has failed because a pod failed in a way that its failure policy names;
 *   <li>it has failed because more pods failed than its back-off limit, or its pods' containers
 *       were started again too often;
 *   <li>it has failed because it was active for too long;
 *   <li>it has failed because too many of its indexes did, or some did and none is left;
 *   <li>it has succeeded because its success policy is met;
 *   <li>it has succeeded because no pod is active and as many as wanted have succeeded: one, if it
 *       does not say how many.
 * </ol>
 *
 * @param isSuccess whether it has succeeded or failed
 * @param isSaid whether its conditions say so
 */
record JobVerdict(boolean isSuccess, Why why, boolean isSaid) {

  static Optional<JobVerdict> of(JobSnapshot snapshot, JobSpec spec, JobTally tally, Instant now) {
    JobView job = snapshot.job();
    return said(job, JobView.SUCCESS_CRITERIA_MET, true)
        .or(() -> said(job, JobView.FAILURE_TARGET, false))
        .or(() -> failureByPolicy(snapshot, spec))
        .or(() -> failureByCount(snapshot, spec, tally))
        .or(() -> failureByTime(snapshot, spec, now))
        .or(() -> failureByIndexes(spec, tally))
        .or(() -> successByPolicy(spec, tally))
        .or(() -> completion(spec, tally));
  }

  private static Optional<JobVerdict> said(JobView job, String type, boolean isSuccess) {
    return job.whenTrue(type)
        .map(c -> new JobVerdict(isSuccess, new Why(c.reason(), c.message()), true));
  }

  private static JobVerdict failure(String reason, String message) {
    return new JobVerdict(false, new Why(reason, message), false);
  }

  private static Optional<JobVerdict> failureByPolicy(JobSnapshot snapshot, JobSpec spec) {
    if (spec.failureRules().isEmpty()) {
      return Optional.empty();
    }
    return snapshot.pods().stream()
        .filter(pod -> pod.hasFailed(spec))
        .flatMap(pod -> FailurePolicy.match(spec.failureRules(), pod).stream())
        .filter(match -> match.action() == Action.FAIL_JOB)
        .findFirst()
        .map(match -> failure("PodFailurePolicy", match.message()));
  }

  private static Optional<JobVerdict> failureByCount(
      JobSnapshot snapshot, JobSpec spec, JobTally tally) {
    boolean restartedTooOften = false;
    if (spec.restartsContainers()) {
      long restarts = snapshot.pods().stream().mapToLong(JobPod::restarts).sum();
      restartedTooOften = restarts > 0 && restarts >= spec.backoffLimit();
    }
    return tally.failed() > spec.backoffLimit() || restartedTooOften
        ? Optional.of(
            failure("BackoffLimitExceeded", "Job has reached the specified backoff limit"))
        : Optional.empty();
  }

  private static Optional<JobVerdict> failureByTime(
      JobSnapshot snapshot, JobSpec spec, Instant now) {
    return deadline(snapshot.job(), spec)
        .filter(deadline -> !now.isBefore(deadline))
        .map(_ -> failure("DeadlineExceeded", "Job was active longer than specified deadline"));
  }

  /** Until when a job may be active; empty if it is not, or may be for ever. */
  static Optional<Instant> deadline(JobView job, JobSpec spec) {
    return spec.isSuspended()
        ? Optional.empty()
        : spec.activeFor().flatMap(most -> job.startTime().map(at -> at.plus(most)));
  }

  private static Optional<JobVerdict> failureByIndexes(JobSpec spec, JobTally tally) {
    long failed = tally.failedIndexes().map(Indexes::size).orElse(0L);
    if (spec.maxFailedIndexes().isPresent() && failed > spec.maxFailedIndexes().getAsLong()) {
      return Optional.of(
          failure(
              "MaxFailedIndexesExceeded",
              "Job has exceeded the specified maximal number of failed indexes"));
    }
    return failed > 0 && failed + tally.succeeded() >= spec.completions().orElse(0)
        ? Optional.of(failure("FailedIndexes", "Job has failed indexes"))
        : Optional.empty();
  }

  private static Optional<JobVerdict> successByPolicy(JobSpec spec, JobTally tally) {
    return SuccessPolicy.met(
            spec.successRules(), spec.completions().orElse(0), tally.succeededIndexes())
        .map(message -> new JobVerdict(true, new Why("SuccessPolicy", message), false));
  }

  private static Optional<JobVerdict> completion(JobSpec spec, JobTally tally) {
    boolean isDone = tally.active().isEmpty() && tally.succeeded() >= spec.completions().orElse(1);
    return isDone
        ? Optional.of(
            new JobVerdict(
                true,
                new Why("CompletionsReached", "Reached expected number of succeeded pods"),
                false))
        : Optional.empty();
  }

  /** The condition that says that it is about to end like this. */
  String target() {
    return isSuccess ? JobView.SUCCESS_CRITERIA_MET : JobView.FAILURE_TARGET;
  }

  /** The condition that says that it has ended. */
  String end() {
    return isSuccess ? JobView.COMPLETE : JobView.FAILED;
  }
}
