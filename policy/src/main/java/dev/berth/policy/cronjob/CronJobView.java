package dev.berth.policy.cronjob;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A cron job, as decisions see it.
 *
 * @param tree as it was read
 */
public record CronJobView(
    JsonObject tree, Metadata metadata, CronJobSpec spec, CronJobStatus status) {

  public static CronJobView read(JsonObject cronJob) {
    return new CronJobView(
        cronJob,
        Metadata.of(cronJob),
        CronJobSpec.read(cronJob),
        CronJobStatus.read(cronJob.object("status")));
  }

  /** Whether its jobs start at other times than they did. */
  public boolean isRescheduledSince(CronJobView before) {
    return !spec.schedule().equals(before.spec.schedule())
        || !spec.timeZone().equals(before.spec.timeZone());
  }
}
