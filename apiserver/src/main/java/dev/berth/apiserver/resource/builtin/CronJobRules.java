package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Jobs at set times. */
final class CronJobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> CONCURRENCY = List.of("Allow", "Forbid", "Replace");

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
    errors.addAll(JobRules.validateSpec(cronJob, SPEC.field("jobTemplate").field("spec")));
    return errors;
  }
}
