package dev.berth.policy.cronjob;

import dev.berth.model.batch.CronJobView;
import dev.berth.model.batch.JobTemplate;
import dev.berth.model.batch.JobView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Optional;

/**
 * A job that a cron job controls: one that it started, or one that somebody made from its template.
 *
 * @param isGoing whether it is being deleted, as far as is known
 */
public record CronJobChild(JobView job, boolean isGoing) {

  /** Those that began first come first, and those that have not begun last. */
  static final Comparator<CronJobChild> BY_START =
      Comparator.comparing((CronJobChild child) -> child.job.startTime().orElse(Instant.MAX))
          .thenComparing(child -> child.metadata().name());

  /** The job of a cron job for a time; its name says which, so that there is but one. */
  static JsonObject of(CronJobView cronJob, Instant time, ZoneId zone) {
    JobTemplate template = cronJob.spec().jobTemplate();
    String scheduled = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atZone(zone));
    JsonObject metadata =
        template
            .jobMetadata()
            .with("name", name(cronJob, time))
            .with("namespace", cronJob.metadata().namespace())
            .with(
                "ownerReferences",
                JsonArray.of(OwnerReference.controllerOf(cronJob.tree()).toTree()));
    JsonObject job =
        new JsonObject.Builder()
            .put("kind", "Job")
            .put("apiVersion", "batch/v1")
            .put("metadata", metadata)
            .put("spec", template.spec())
            .build();
    return Metadata.annotate(job, WellKnownAnnotations.CRON_JOB_SCHEDULED_TIMESTAMP, scheduled);
  }

  /** With the minutes since 1970. */
  private static String name(CronJobView cronJob, Instant time) {
    return cronJob.metadata().name() + "-" + Math.floorDiv(time.getEpochSecond(), 60L);
  }

  Metadata metadata() {
    return job.metadata();
  }

  /** How it ended, in a word; empty if it has not. */
  String outcome() {
    if (job.isComplete()) {
      return JobView.COMPLETE;
    }
    return job.isFailed() ? JobView.FAILED : "";
  }

  /** The time that it was started for; empty if somebody else made it. */
  Optional<Instant> scheduledTime(CronJobView cronJob) {
    try {
      return metadata()
          .annotation(WellKnownAnnotations.CRON_JOB_SCHEDULED_TIMESTAMP)
          .map(Times::parse)
          .filter(time -> name(cronJob, time).equals(metadata().name()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
