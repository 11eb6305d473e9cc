package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Jobs: their selector is made from their UID, so that they never take each other's pods. */
final class JobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final List<String> RESTART_POLICIES = List.of("OnFailure", "Never");

  private final TolerationRules tolerations;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  JobRules(TolerationRules tolerations) {
    this.tolerations = tolerations;
  }

  @Override
  public JsonObject defaults(JsonObject job) {
    return Fields.within(job, "spec", JobRules::ofSpec);
  }

  static JsonObject ofSpec(JsonObject spec) {
    JsonObject filled = spec;
    if (!spec.has("completions") && !spec.has("parallelism")) {
      filled = filled.with("completions", 1L);
    }
    filled = Fields.orDefault(filled, "parallelism", 1L);
    filled = Fields.orDefault(filled, "completionMode", "NonIndexed");
    if (!filled.has("backoffLimitPerIndex")) {
      filled = Fields.orDefault(filled, "backoffLimit", 6L);
    }
    filled = Fields.orDefault(filled, "suspend", false);
    filled = Fields.orDefault(filled, "manualSelector", false);
    filled =
        Fields.orDefault(
            filled,
            "podReplacementPolicy",
            filled.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    return WorkloadRules.withTemplate(filled);
  }

  @Override
  public JsonObject prepareForCreate(JsonObject job, Instant now) {
    if (job.object("spec").flag("manualSelector", false)) {
      return job;
    }
    Metadata metadata = Metadata.of(job);
    return Fields.within(
        job,
        "spec",
        spec -> {
          JsonObject selector =
              JsonObject.of(
                  "matchLabels", JsonObject.of(WellKnownLabels.JOB_CONTROLLER_UID, metadata.uid()));
          JsonObject labelled =
              Fields.within(
                  spec,
                  "template",
                  template ->
                      Fields.within(
                          template,
                          "metadata",
                          m -> Fields.within(m, "labels", l -> labels(l, metadata))));
          return labelled.with("selector", selector);
        });
  }

  private static JsonObject labels(JsonObject labels, Metadata job) {
    return labels
        .with(WellKnownLabels.JOB_CONTROLLER_UID, job.uid())
        .with(WellKnownLabels.JOB_NAME, job.name())
        .with(WellKnownLabels.LEGACY_CONTROLLER_UID, job.uid())
        .with(WellKnownLabels.LEGACY_JOB_NAME, job.name());
  }

  @Override
  public List<FieldError> validate(JsonObject job) {
    return validateSpec(job, SPEC, tolerations);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject job, JsonObject old) {
    return validateSpec(job, SPEC, replacing(old, SPEC, tolerations));
  }

  /** What the tolerations of a template may say that replaces another. */
  static TolerationRules replacing(JsonObject old, FieldPath spec, TolerationRules tolerations) {
    return PodSpecValidation.replacing(pod(old, spec), tolerations);
  }

  private static JsonObject pod(JsonObject object, FieldPath spec) {
    FieldPath template = spec.field("template").field("spec");
    return template.get(object) instanceof JsonObject tree ? tree : JsonObject.EMPTY;
  }

  static List<FieldError> validateSpec(
      JsonObject object, FieldPath spec, TolerationRules tolerations) {
    List<FieldError> errors = new ArrayList<>();
    for (String field :
        List.of("parallelism", "completions", "backoffLimit", "ttlSecondsAfterFinished")) {
      errors.addAll(Fields.notNegative(spec.field(field), object));
    }
    FieldPath template = spec.field("template").field("spec");
    JsonObject pod = pod(object, spec);
    errors.addAll(PodSpecValidation.validate(pod, template, tolerations));
    if (pod.text("restartPolicy", "").equals("Always")) {
      errors.add(
          FieldError.required(
              template.field("restartPolicy").toString(),
              "valid values: \"OnFailure\", \"Never\""));
    } else {
      errors.addAll(
          Fields.oneOf(
              template.field("restartPolicy"), pod.text("restartPolicy", ""), RESTART_POLICIES));
    }
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject job, JsonObject old) {
    List<FieldError> errors = new ArrayList<>(Fields.immutable(SPEC.field("selector"), job, old));
    errors.addAll(Fields.immutable(SPEC.field("completionMode"), job, old));
    if (!old.object("spec").flag("suspend", false)) {
      errors.addAll(Fields.immutable(SPEC.field("template"), job, old));
    }
    return errors;
  }
}
