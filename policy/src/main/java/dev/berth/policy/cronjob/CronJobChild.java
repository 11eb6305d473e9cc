package dev.berth.policy.cronjob;

import dev.berth.model.meta.Conditions;
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
public record CronJobChild(JsonObject job, boolean isGoing) {
  private static final String COMPLETE = "Complete";
  private static final String FAILED = "Failed";

  /** Those that began first come first, and those that have not begun last. */
  static final Comparator<CronJobChild> BY_START =
      Comparator.comparing((CronJobChild child) -> child.time("startTime").orElse(Instant.MAX))
          .thenComparing(child -> child.metadata().name());

  /** The job of a cron job for a time; its name says which, so that there is but one. */
  static JsonObject of(CronJobView cronJob, Instant time, ZoneId zone) {
    JsonObject template = cronJob.spec().jobTemplate();
    JsonObject given = template.object("metadata");
    JsonObject annotations =
        given
            .object("annotations")
            .with(
                WellKnownAnnotations.CRON_JOB_SCHEDULED_TIMESTAMP,
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atZone(zone)));
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", name(cronJob, time))
            .put("namespace", cronJob.metadata().namespace())
            .putIfPresent("labels", given.get("labels"))
            .put("annotations", annotations)
            .put(
                "ownerReferences",
                JsonArray.of(OwnerReference.controllerOf(cronJob.tree()).toTree()))
            .build();
    return new JsonObject.Builder()
        .put("kind", "Job")
        .put("apiVersion", "batch/v1")
        .put("metadata", metadata)
        .put("spec", template.object("spec"))
        .build();
  }

  /** With the minutes since 1970. */
  private static String name(CronJobView cronJob, Instant time) {
    return cronJob.metadata().name() + "-" + Math.floorDiv(time.getEpochSecond(), 60L);
  }

  Metadata metadata() {
    return Metadata.of(job);
  }

  boolean isComplete() {
    return isTrue(COMPLETE);
  }

  boolean isFailed() {
    return isTrue(FAILED);
  }

  boolean isFinished() {
    return isComplete() || isFailed();
  }

  /** How it ended, in a word; empty if it has not. */
  String outcome() {
    if (isComplete()) {
      return COMPLETE;
    }
    return isFailed() ? FAILED : "";
  }

  private boolean isTrue(String condition) {
    return Conditions.isTrue(job.object("status").array("conditions"), condition);
  }

  Optional<Instant> completionTime() {
    return time("completionTime");
  }

  private Optional<Instant> time(String field) {
    return Optional.ofNullable(job.object("status").text(field)).map(Times::parse);
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

  /** As a cron job's status speaks of it. */
  JobReference reference() {
    return new JobReference(
        new JsonObject.Builder()
            .put("kind", "Job")
            .put("namespace", metadata().namespace())
            .put("name", metadata().name())
            .put("uid", metadata().uid())
            .put("apiVersion", "batch/v1")
            .put("resourceVersion", metadata().resourceVersion())
            .build());
  }
}
