package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.List;

/** Jobs at set times. */
final class CronJobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> CONCURRENCY = List.of("Allow", "Forbid", "Replace");

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
    return Fields.within(
        cronJob,
        "spec",
        spec -> {
          JsonObject filled = Fields.orDefault(spec, "concurrencyPolicy", "Allow");
          filled = Fields.orDefault(filled, "suspend", false);
          filled = Fields.orDefault(filled, "successfulJobsHistoryLimit", 3L);
          filled = Fields.orDefault(filled, "failedJobsHistoryLimit", 1L);
          return Fields.within(
              filled,
              "jobTemplate",
              job -> Fields.within(job, "spec", s -> WorkloadRules.withTemplate(s)));
        });
  }

  @Override
  public List<FieldError> validate(JsonObject cronJob) {
    return validate(cronJob, tolerations);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject cronJob, JsonObject old) {
    return validate(cronJob, JobRules.replacing(old, JOB, tolerations));
  }

  private static List<FieldError> validate(JsonObject cronJob, TolerationRules allowed) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = cronJob.object("spec");
    if (spec.text("schedule", "").isEmpty()) {
      errors.add(FieldError.required("spec.schedule", ""));
    }
    errors.addAll(
        Fields.oneOf(
            SPEC.field("concurrencyPolicy"), spec.text("concurrencyPolicy", ""), CONCURRENCY));
    for (String field : List.of("successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
      errors.addAll(Fields.notNegative(SPEC.field(field), cronJob));
    }
    errors.addAll(JobRules.validateSpec(cronJob, JOB, allowed));
    return errors;
  }
}
