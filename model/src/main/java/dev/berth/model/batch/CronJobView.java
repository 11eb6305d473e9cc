package dev.berth.model.batch;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/** A CronJob as its controller sees it. */
public record CronJobView(
    JsonObject tree, Metadata metadata, CronJobSpec spec, CronJobStatus status) {

  public static CronJobView read(JsonObject cronJob) {
    return new CronJobView(
        cronJob,
        Metadata.of(cronJob),
        CronJobSpec.read(cronJob.object("spec")),
        CronJobStatus.read(cronJob.object("status")));
  }

  /** Whether its jobs start at other times than they did. */
  public boolean isRescheduledSince(CronJobView before) {
    return !spec.schedule().equals(before.spec.schedule())
        || !spec.timeZone().equals(before.spec.timeZone());
  }
}
