package dev.berth.model.batch;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a CronJob asks for.
 *
 * @param timeZone whose clocks its schedule speaks of; UTC if it does not say
 * @param startingDeadline how late a job may start; for ever if it does not say
 * @param successfulLimit how many successful jobs are kept; all if it does not say
 * @param failedLimit how many failed jobs are kept; all if it does not say
 * @param jobTemplate what its jobs are made from
 */
public record CronJobSpec(
    String schedule,
    Optional<String> timeZone,
    Concurrency concurrency,
    boolean suspended,
    Optional<Duration> startingDeadline,
    OptionalLong successfulLimit,
    OptionalLong failedLimit,
    JobTemplate jobTemplate) {

  /** What happens when it is time for a job and an earlier one still runs. */
  public enum Concurrency {
    ALLOW,
    /** The job does not start. */
    FORBID,
    /** The earlier one is deleted. */
    REPLACE
  }

  static CronJobSpec read(JsonObject spec) {
    return new CronJobSpec(
        spec.text("schedule", ""),
        Optional.ofNullable(spec.text("timeZone")),
        switch (spec.text("concurrencyPolicy", "")) {
          case "Forbid" -> Concurrency.FORBID;
          case "Replace" -> Concurrency.REPLACE;
          default -> Concurrency.ALLOW;
        },
        spec.flag("suspend", false),
        JobSpec.seconds(spec, "startingDeadlineSeconds"),
        spec.integer("successfulJobsHistoryLimit"),
        spec.integer("failedJobsHistoryLimit"),
        new JobTemplate(spec.object("jobTemplate")));
  }
}
