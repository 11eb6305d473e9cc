package dev.berth.controllers.job;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobAction;
import dev.berth.policy.job.JobStatus;
import java.util.Optional;

/** What upstream counts, under upstream's names. */
final class JobMetrics {
  private static final String MODE = "completion_mode";
  private static final String RESULT = "result";

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

  private static String mode(JsonObject job) {
    return job.object("spec").text("completionMode", "NonIndexed");
  }

  /** A job was reconciled. */
  void synced(JsonObject job, Optional<JobAction> action, boolean isSuccess) {
    String word =
        switch (action.orElse(null)) {
          case JobAction.Create _ -> "pods_created";
          case JobAction.Remove _, JobAction.End _ -> "pods_deleted";
          case JobAction.Untrack _ -> "tracking";
          case null -> "tracking";
        };
    syncs.with(mode(job), isSuccess ? "success" : "error", word).add(1);
  }

  /** The status of a job was written. */
  void written(JsonObject job, JobStatus status) {
    count(job, status, "succeeded");
    count(job, status, "failed");
    status
        .ended()
        .ifPresent(end ->
            jobs.with(mode(job), end.isSuccess() ? "succeeded" : "failed", end.reason()).add(1));
  }

  private void count(JsonObject job, JobStatus status, String field) {
    long before = job.object("status").integer(field).orElse(0);
    long more = status.tree().integer(field).orElse(0) - before;
    if (more > 0) {
      pods.with(mode(job), field).add(more);
    }
  }
}
