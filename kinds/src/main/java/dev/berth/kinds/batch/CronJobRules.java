package dev.berth.kinds.batch;

import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cronjob.CronSchedule;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Jobs at set times. */
final class CronJobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> CONCURRENCY = List.of("Allow", "Forbid", "Replace");

  /** A job's name is longer by a hyphen and a time, and has 63 characters at most. */
  private static final int LONGEST_NAME = 52;

  private static final FieldPath JOB = SPEC.field("jobTemplate").field("spec");

  private final PodValidationOptions options;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  CronJobRules(TolerationRules tolerations) {
    this.options = PodValidationOptions.of(false, tolerations);
  }

  @Override
  public JsonObject defaults(JsonObject cronJob) {
    return FieldRules.within(
        cronJob,
        "spec",
        spec -> {
          JsonObject filled = FieldRules.ifEmpty(spec, "concurrencyPolicy", "Allow");
          filled = FieldRules.orDefault(filled, "suspend", false);
          filled = FieldRules.orDefault(filled, "successfulJobsHistoryLimit", 3L);
          filled = FieldRules.orDefault(filled, "failedJobsHistoryLimit", 1L);
          return FieldRules.within(
              filled,
              "jobTemplate",
              job -> FieldRules.within(job, "spec", CronJobRules::jobDefaults));
        });
  }

  private static JsonObject jobDefaults(JsonObject spec) {
    return PodSpecDefaults.withTemplate(
        FieldRules.present(spec, "podFailurePolicy", JobRules::failurePolicy));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject cronJob, Instant now) {
    return prepareForUpdate(cronJob, JsonObject.EMPTY, now);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject cronJob, JsonObject old, Instant now) {
    JsonObject before = old.object("spec").object("jobTemplate").object("spec");
    return FieldRules.within(
        cronJob,
        "spec",
        spec ->
            FieldRules.present(
                spec,
                "jobTemplate",
                job -> JobRules.withoutDisabledFields(job, before.object("template"))));
  }

  @Override
  public List<FieldError> validate(JsonObject cronJob) {
    FieldErrorList problems = new FieldErrorList();
    validate(cronJob.object("spec"), null, options, problems);
    String name = Metadata.of(cronJob).name();
    if (name.length() > LONGEST_NAME) {
      problems.invalid(
          FieldPath.of("metadata", "name"),
          name,
          "must be no more than %d characters".formatted(LONGEST_NAME));
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject cronJob, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject before = old.object("spec");
    JsonObject template = before.object("jobTemplate").object("spec").object("template");
    validate(cronJob.object("spec"), before, options.replacingTemplate(template), problems);
    return problems.all();
  }

  private static void validate(
      JsonObject spec,
      @Nullable JsonObject old,
      PodValidationOptions allowed,
      FieldErrorList problems) {
    boolean mayNameZone = old != null && old.text("schedule", "").contains("TZ");
    problems.addAll(schedule(spec, mayNameZone));
    problems.notNegative(spec, "startingDeadlineSeconds", SPEC);
    if (old == null || !Objects.equals(old.get("timeZone"), spec.get("timeZone"))) {
      problems.addAll(timeZone(spec));
    }
    problems.requiredOneOf(
        SPEC.field("concurrencyPolicy"), spec.text("concurrencyPolicy", ""), CONCURRENCY);
    JsonObject job = spec.object("jobTemplate").object("spec");
    JobSpecValidation.validate(job, JOB, allowed, problems);
    if (job.has("selector")) {
      problems.invalid(
          JOB.field("selector"), job.object("selector"), "`selector` will be auto-generated");
    }
    if (job.flag("manualSelector", false)) {
      problems.addAll(
          List.of(
              FieldError.notSupported(
                  JOB.field("manualSelector").toString(), true, List.of("nil", "false"))));
    }
    problems.notNegative(spec, "successfulJobsHistoryLimit", SPEC);
    problems.notNegative(spec, "failedJobsHistoryLimit", SPEC);
  }

  /**
   * @param mayNameZone whether it named a zone already, which older servers let in
   */
  private static List<FieldError> schedule(JsonObject spec, boolean mayNameZone) {
    String field = "spec.schedule";
    String schedule = spec.text("schedule", "");
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
    } else if (schedule.contains("TZ") && spec.has("timeZone")) {
      errors.add(
          FieldError.invalid(
              field, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
    }
    return errors;
  }

  private static List<FieldError> timeZone(JsonObject spec) {
    String field = "spec.timeZone";
    String zone = spec.text("timeZone");
    if (zone == null) {
      return List.of();
    }
    if (zone.isEmpty()) {
      return List.of(FieldError.invalid(field, zone, "timeZone must be nil or non-empty string"));
    }
    for (String part : zone.split("/", -1)) {
      if (part.equals(".")
          || part.equals("..")
          || part.startsWith("-")
          || !part.matches("[A-Za-z.\\-_0-9+]{1,14}")) {
        return List.of(FieldError.invalid(field, zone, "unknown time zone " + zone));
      }
    }
    List<FieldError> errors = new ArrayList<>();
    if (zone.equalsIgnoreCase("Local")) {
      errors.add(
          FieldError.invalid(
              field,
              zone,
              "timeZone must be an explicit time zone as defined in"
                  + " https://www.iana.org/time-zones"));
    }
    // Go knows the zone of its machine by this name, and no other spelling of it.
    if (!zone.equals("Local") && CronSchedule.zone(zone).isEmpty()) {
      errors.add(FieldError.invalid(field, zone, "unknown time zone " + zone));
    }
    return errors;
  }
}
