package dev.berth.controllers.job;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import dev.berth.model.batch.JobView;
import dev.berth.policy.job.JobAction;
import dev.berth.policy.job.JobPlan;

/** What upstream counts, under upstream's names. */
final class JobMetrics {
  private static final String MODE = "completion_mode";
  private static final String RESULT = "result";
  private static final String SUCCEEDED = "succeeded";
  private static final String FAILED = "failed";

  private final Family<Counter> syncs;
  private final Family<Counter> jobs;
  private final Family<Counter> pods;

  JobMetrics(Metrics metrics) {
    syncs =
        metrics.counters(
            "job_controller_job_syncs_total", "Reconciliations of jobs.", MODE, RESULT, "action");
    jobs =
        metrics.counters(
            "job_controller_jobs_finished_total", "Jobs that have ended.", MODE, RESULT, "reason");
    pods =
        metrics.counters(
            "job_controller_job_pods_finished_total", "Pods that were counted.", MODE, RESULT);
  }

  /** A job was reconciled. */
  void synced(JobPlan plan, boolean isSuccess) {
    String word =
        switch (plan.pods().orElse(null)) {
          case JobAction.Create _ -> "pods_created";
          case JobAction.Remove _, JobAction.End _ -> "pods_deleted";
          case JobAction.Untrack _ -> "tracking";
          case null -> "tracking";
        };
    syncs.with(plan.job().completionMode(), isSuccess ? "success" : "error", word).add(1);
  }

  /** The status of a job was written. */
  void written(JobPlan plan) {
    JobView before = plan.job();
    JobView after = new JobView(plan.withStatus());
    String mode = before.completionMode();
    count(mode, SUCCEEDED, after.succeeded() - before.succeeded());
    count(mode, FAILED, after.failed() - before.failed());
    plan.status()
        .ended()
        .ifPresent(
            end -> jobs.with(mode, end.isSuccess() ? SUCCEEDED : FAILED, end.reason()).add(1));
  }

  private void count(String mode, String result, long more) {
    if (more > 0) {
      pods.with(mode, result).add(more);
    }
  }
}
