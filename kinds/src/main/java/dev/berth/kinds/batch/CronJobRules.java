package dev.berth.kinds.batch;

import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cronjob.CronSchedule;
import dev.berth.policy.taint.TolerationRules;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Jobs at set times. */
final class CronJobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> CONCURRENCY = List.of("Allow", "Forbid", "Replace");

  /** A job's name is longer by a hyphen and a time, and has 63 characters at most. */
  private static final int LONGEST_NAME = 52;

  private static final FieldPath JOB = SPEC.field("jobTemplate").field("spec");

  private final TolerationRules tolerations;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  CronJobRules(TolerationRules tolerations) {
    this.tolerations = tolerations;
  }

  @Override
  public JsonObject defaults(JsonObject cronJob) {
    return FieldRules.within(
        cronJob,
        "spec",
        spec -> {
          JsonObject filled = FieldRules.orDefault(spec, "concurrencyPolicy", "Allow");
          filled = FieldRules.orDefault(filled, "suspend", false);
          filled = FieldRules.orDefault(filled, "successfulJobsHistoryLimit", 3L);
          filled = FieldRules.orDefault(filled, "failedJobsHistoryLimit", 1L);
          return FieldRules.within(
              filled,
              "jobTemplate",
              job -> FieldRules.within(job, "spec", s -> PodSpecDefaults.withTemplate(s)));
        });
  }

  @Override
  public List<FieldError> validate(JsonObject cronJob) {
    List<FieldError> errors = new ArrayList<>();
    String name = Metadata.of(cronJob).name();
    if (name.length() > LONGEST_NAME) {
      errors.add(
          FieldError.invalid(
              "metadata.name", name, "must be no more than %d characters".formatted(LONGEST_NAME)));
    }
    errors.addAll(schedule(cronJob, false));
    errors.addAll(timeZone(cronJob));
    errors.addAll(validate(cronJob, tolerations));
    return errors;
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject cronJob, JsonObject old) {
    JsonObject was = old.object("spec");
    List<FieldError> errors =
        new ArrayList<>(schedule(cronJob, was.text("schedule", "").contains("TZ")));
    if (!Objects.equals(was.get("timeZone"), cronJob.object("spec").get("timeZone"))) {
      errors.addAll(timeZone(cronJob));
    }
    errors.addAll(validate(cronJob, JobRules.replacing(old, JOB, tolerations)));
    return errors;
  }

  /**
   * @param mayNameZone whether it named a zone already, which older servers let in
   */
  private static List<FieldError> schedule(JsonObject cronJob, boolean mayNameZone) {
    String field = "spec.schedule";
    String schedule = cronJob.object("spec").text("schedule", "");
    if (schedule.isEmpty()) {
      return List.of(FieldError.required(field, ""));
    }
    List<FieldError> errors = new ArrayList<>();
    if (CronSchedule.parse(schedule, ZoneOffset.UTC)
        instanceof CronSchedule.Parsed.Invalid(String why)) {
      errors.add(FieldError.invalid(field, schedule, why));
    }
    if (schedule.contains("TZ") && !mayNameZone) {
      errors.add(
          FieldError.invalid(
              field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
    } else if (schedule.contains("TZ") && cronJob.object("spec").has("timeZone")) {
      errors.add(
          FieldError.invalid(
              field, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
    }
    return errors;
  }

  private static List<FieldError> timeZone(JsonObject cronJob) {
    String field = "spec.timeZone";
    String zone = cronJob.object("spec").text("timeZone");
    if (zone == null) {
      return List.of();
    }
    if (zone.isEmpty()) {
      return List.of(FieldError.invalid(field, zone, "timeZone must be nil or non-empty string"));
    }
    if (zone.equalsIgnoreCase("Local")) {
      return List.of(
          FieldError.invalid(
              field,
              zone,
              "timeZone must be an explicit time zone as defined in"
                  + " https://www.iana.org/time-zones"));
    }
    return CronSchedule.zone(zone).isPresent()
        ? List.of()
        : List.of(FieldError.invalid(field, zone, "unknown time zone " + zone));
  }

  private static List<FieldError> validate(JsonObject cronJob, TolerationRules allowed) {
    List<FieldError> errors = new ArrayList<>();
    errors.addAll(
        FieldRules.oneOf(
            SPEC.field("concurrencyPolicy"),
            cronJob.object("spec").text("concurrencyPolicy", ""),
            CONCURRENCY));
    for (String field :
        List.of(
            "startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
      errors.addAll(FieldRules.notNegative(SPEC.field(field), cronJob));
    }
    errors.addAll(JobRules.validateSpec(cronJob, JOB, allowed));
    return errors;
  }
}
