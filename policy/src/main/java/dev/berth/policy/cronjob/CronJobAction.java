package dev.berth.policy.cronjob;

import dev.berth.model.batch.JobReference;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;
import java.time.Instant;
import java.util.List;

/** Something to be done about a cron job's jobs. */
public sealed interface CronJobAction extends Action {

  /** Look whether jobs are still there that run, as its status says, and nobody has heard of. */
  record Check(List<JobReference> jobs) implements CronJobAction {
    @Override
    public String reason() {
      return "look for active jobs " + jobs.stream().map(JobReference::name).toList();
    }
  }

  /** Delete jobs that make way, or finished ones, of which it keeps so many. */
  record Delete(List<JsonObject> jobs) implements CronJobAction {
    @Override
    public String reason() {
      return "delete jobs " + jobs.stream().map(job -> Metadata.of(job).name()).toList();
    }
  }

  /**
   * Start a job.
   *
   * @param time for which it is started
   */
  record Start(Instant time, JsonObject job) implements CronJobAction {
    @Override
    public String reason() {
      return "start job " + Metadata.of(job).name() + " for " + time;
    }
  }
}
