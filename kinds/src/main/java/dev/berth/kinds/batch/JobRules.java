package dev.berth.kinds.batch;

import dev.berth.kinds.pod.DisabledFields;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Jobs: their selector is made from their UID, so that they never take each other's pods. */
final class JobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final long BACKOFF_LIMIT = 6;
  private static final List<String> NAME_LABELS =
      List.of(WellKnownLabels.JOB_NAME, WellKnownLabels.LEGACY_JOB_NAME);
  private static final List<String> UID_LABELS =
      List.of(WellKnownLabels.JOB_CONTROLLER_UID, WellKnownLabels.LEGACY_CONTROLLER_UID);

  private final PodValidationOptions options;

  /**
   * @param tolerations what the tolerations of a new template may say
   */
  JobRules(TolerationRules tolerations) {
    this.options = PodValidationOptions.of(false, tolerations);
  }

  @Override
  public JsonObject defaults(JsonObject job) {
    JsonObject filled = FieldRules.within(job, "spec", JobRules::ofSpec);
    JsonObject labels = templateLabels(filled);
    JsonObject metadata = metadata(filled);
    return labels.isEmpty() || !metadata.object("labels").isEmpty()
        ? filled
        : filled.with("metadata", metadata.with("labels", labels));
  }

  static JsonObject ofSpec(JsonObject spec) {
    JsonObject filled = spec;
    if (!spec.has("completions") && !spec.has("parallelism")) {
      filled = filled.with("completions", 1L);
    }
    filled = FieldRules.orDefault(filled, "parallelism", 1L);
    filled = FieldRules.orDefault(filled, "completionMode", "NonIndexed");
    filled =
        FieldRules.orDefault(
            filled,
            "backoffLimit",
            filled.has("backoffLimitPerIndex") ? (long) Integer.MAX_VALUE : BACKOFF_LIMIT);
    filled = FieldRules.orDefault(filled, "suspend", false);
    filled = FieldRules.orDefault(filled, "manualSelector", false);
    filled =
        FieldRules.orDefault(
            filled,
            "podReplacementPolicy",
            filled.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    if (filled.has("podFailurePolicy")) {
      filled = FieldRules.within(filled, "podFailurePolicy", JobRules::failurePolicy);
    }
    return PodSpecDefaults.withTemplate(filled);
  }

  static JsonObject failurePolicy(JsonObject policy) {
    return FieldRules.each(
        policy,
        "rules",
        rule ->
            FieldRules.each(rule, "onPodConditions", p -> FieldRules.ifEmpty(p, "status", "True")));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject created, Instant now) {
    JsonObject job = withoutDisabledFields(created, JsonObject.EMPTY);
    if (job.object("spec").flag("manualSelector", false)) {
      return job;
    }
    Metadata metadata = Metadata.of(job);
    JsonObject selected =
        FieldRules.within(
            job,
            "spec",
            spec -> {
              JsonObject labelled =
                  FieldRules.within(
                      spec,
                      "template",
                      template ->
                          FieldRules.within(
                              template,
                              "metadata",
                              m -> FieldRules.within(m, "labels", l -> labels(l, metadata))));
              return FieldRules.within(
                  labelled,
                  "selector",
                  selector ->
                      FieldRules.within(
                          selector,
                          "matchLabels",
                          labels ->
                              FieldRules.orDefault(
                                  labels, WellKnownLabels.JOB_CONTROLLER_UID, metadata.uid())));
            });
    return hasLabelsOfTemplate(job)
        ? selected.with("metadata", metadata(selected).with("labels", templateLabels(selected)))
        : selected;
  }

  /**
   * Whether a job has no labels of its own, but those of its template, by default: what is added to
   * these is added to the job, too. Labels that somebody spelled out alike are labels of their own.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean hasLabelsOfTemplate(JsonObject job) {
    JsonObject labels = templateLabels(job);
    return !labels.isEmpty() && metadata(job).object("labels") == labels;
  }

  private static JsonObject templateLabels(JsonObject job) {
    return metadata(job.object("spec").object("template")).object("labels");
  }

  private static JsonObject metadata(JsonObject object) {
    return object.object("metadata");
  }

  /** What somebody else wrote there stays, and is refused if it is wrong. */
  private static JsonObject labels(JsonObject labels, Metadata job) {
    JsonObject filled = labels;
    for (String key : NAME_LABELS) {
      filled = FieldRules.orDefault(filled, key, job.name());
    }
    for (String key : UID_LABELS) {
      filled = FieldRules.orDefault(filled, key, job.uid());
    }
    return filled;
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject job, JsonObject old, Instant now) {
    return withoutDisabledFields(job, old.object("spec").object("template"));
  }

  static JsonObject withoutDisabledFields(JsonObject job, JsonObject oldTemplate) {
    return FieldRules.within(
        job,
        "spec",
        spec ->
            FieldRules.present(
                spec, "template", t -> DisabledFields.dropFromTemplate(t, oldTemplate)));
  }

  @Override
  public List<FieldError> validate(JsonObject job) {
    FieldErrorList problems = new FieldErrorList();
    validate(job, true, options, problems);
    return problems.all();
  }

  /**
   * Checks a job.
   *
   * @param prefixedLabels whether labels that older servers did not write must be there
   */
  private static void validate(
      JsonObject job,
      boolean prefixedLabels,
      PodValidationOptions allowed,
      FieldErrorList problems) {
    generatedSelector(job, prefixedLabels, problems);
    spec(job.object("spec"), allowed, problems);
    JsonObject spec = job.object("spec");
    long last = spec.integer("completions").orElse(0) - 1;
    String name = Metadata.of(job).name();
    String host = name + "-" + last;
    boolean isIndexed = spec.text("completionMode", "").equals("Indexed");
    if (isIndexed && last >= 0 && !NameRules.dns1123Label(host).isEmpty()) {
      problems.invalid(
          FieldPath.of("metadata", "name"),
          name,
          "will not able to create pod with invalid DNS label: " + host);
    }
  }

  private static void spec(JsonObject spec, PodValidationOptions allowed, FieldErrorList problems) {
    JobSpecValidation.validate(spec, SPEC, allowed, problems);
    JsonObject selector = spec.object("selector");
    if (!spec.has("selector")) {
      problems.required(SPEC.field("selector"), "");
    }
    List<FieldError> wrong = LabelSelectorForm.validate(selector, "spec.selector");
    problems.addAll(wrong);
    JsonObject labels = spec.object("template").object("metadata").object("labels");
    boolean selects = spec.has("selector") && wrong.isEmpty();
    if (wrong.isEmpty() && !(selects && LabelSelector.fromTree(selector).matches(labels))) {
      problems.invalid(
          SPEC.field("template").field("metadata").field("labels"),
          labels.isEmpty() ? JsonNull.NULL : labels,
          "`selector` does not match template `labels`");
    }
  }

  /** A selector that was made selects the job's own pods and no others. */
  private static void generatedSelector(
      JsonObject job, boolean prefixedLabels, FieldErrorList problems) {
    JsonObject spec = job.object("spec");
    if (spec.flag("manualSelector", false) || !spec.has("selector")) {
      return;
    }
    JsonObject labels = spec.object("template").object("metadata").object("labels");
    Metadata metadata = Metadata.of(job);
    JsonObject expected = JsonObject.EMPTY;
    expected =
        label(WellKnownLabels.LEGACY_CONTROLLER_UID, metadata.uid(), labels, expected, problems);
    expected = label(WellKnownLabels.LEGACY_JOB_NAME, metadata.name(), labels, expected, problems);
    if (prefixedLabels) {
      expected =
          label(WellKnownLabels.JOB_CONTROLLER_UID, metadata.uid(), labels, expected, problems);
      expected = label(WellKnownLabels.JOB_NAME, metadata.name(), labels, expected, problems);
    }
    JsonObject selector = spec.object("selector");
    if (LabelSelectorForm.validate(selector, "spec.selector").isEmpty()
        && !LabelSelector.fromTree(selector).matches(expected)) {
      problems.invalid(SPEC.field("selector"), selector, "`selector` not auto-generated");
    }
  }

  /** Checks a label, and adds it to those that are expected. */
  private static JsonObject label(
      String key, String value, JsonObject labels, JsonObject expected, FieldErrorList problems) {
    FieldPath at = SPEC.field("template").field("metadata").field("labels").key(key);
    String problem = "must be '" + value + "'";
    if (!labels.has(key)) {
      problems.required(at, problem);
    } else if (!labels.text(key, "").equals(value)) {
      problems.invalid(at, labels, problem);
    }
    return expected.with(key, value);
  }

  private PodValidationOptions replacing(JsonObject old) {
    return options.replacingTemplate(old.object("spec").object("template"));
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject job, JsonObject old) {
    JsonObject labels = old.object("spec").object("template").object("metadata").object("labels");
    boolean had =
        labels.has(WellKnownLabels.JOB_NAME) && labels.has(WellKnownLabels.JOB_CONTROLLER_UID);
    FieldErrorList problems = new FieldErrorList();
    validate(job, had, replacing(old), problems);
    return problems.all();
  }

  /** What is wrong with the specification by itself is said twice, as upstream does. */
  @Override
  public List<FieldError> validateUpdate(JsonObject job, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject spec = job.object("spec");
    JsonObject before = old.object("spec");
    spec(spec, replacing(old), problems);
    completions(spec, before, problems);
    immutable("selector", spec, before, problems);
    template(job, old, problems);
    for (String field :
        List.of(
            "completionMode",
            "podFailurePolicy",
            "backoffLimitPerIndex",
            "managedBy",
            "successPolicy")) {
      immutable(field, spec, before, problems);
    }
    return problems.all();
  }

  private static void immutable(
      String field, JsonObject spec, JsonObject before, FieldErrorList problems) {
    Object now = spec.get(field);
    if (Objects.equals(now, before.get(field))) {
      return;
    }
    Object shown =
        switch (now) {
          case null -> JsonNull.NULL;
          case JsonObject tree when field.equals("podFailurePolicy") ->
              InternalForm.of("PodFailurePolicy", tree);
          case JsonObject tree when field.equals("successPolicy") ->
              InternalForm.of("SuccessPolicy", tree);
          case Object other -> other;
        };
    problems.invalid(SPEC.field(field), shown, "field is immutable");
  }

  /** An indexed job may grow and shrink if all of it runs at once. */
  private static void completions(JsonObject spec, JsonObject before, FieldErrorList problems) {
    if (!spec.text("completionMode", "").equals("Indexed")) {
      immutable("completions", spec, before, problems);
      return;
    }
    Object completions = spec.get("completions");
    if (completions != null
        && !completions.equals(before.get("completions"))
        && !completions.equals(spec.get("parallelism"))) {
      problems.invalid(
          SPEC.field("completions"),
          completions,
          "can only be modified in tandem with spec.parallelism");
    }
  }

  /**
   * What pods are made from changes only while there are none: where they go and what they take, of
   * a suspended job that has not begun or has no pods left.
   */
  private static void template(JsonObject job, JsonObject old, FieldErrorList problems) {
    FieldPath at = SPEC.field("template");
    JsonObject status = old.object("status");
    boolean isIdle =
        old.object("spec").flag("suspend", false)
            && status.integer("active").orElse(0) == 0
            && (!status.has("startTime")
                || Conditions.isTrue(status.array("conditions"), "Suspended"));
    JsonObject template = job.object("spec").object("template");
    JsonObject before = old.object("spec").object("template");
    if (isIdle) {
      JsonObject now = InternalForm.of("PodSpec", withoutDirectives(template.object("spec")));
      if (!now.equals(InternalForm.of("PodSpec", withoutDirectives(before.object("spec"))))) {
        problems.invalid(
            at.field("spec"),
            InternalForm.of("PodSpec", template.object("spec")),
            "field is immutable");
      }
      return;
    }
    JsonObject now = InternalForm.of("PodTemplateSpec", template);
    if (!now.equals(InternalForm.of("PodTemplateSpec", before))) {
      problems.invalid(at, now, "field is immutable");
    }
  }

  private static JsonObject withoutDirectives(JsonObject pod) {
    JsonObject affinity = pod.object("affinity").without("nodeAffinity");
    JsonObject left = pod.without("nodeSelector").without("tolerations").without("schedulingGates");
    left = affinity.isEmpty() ? left.without("affinity") : left.with("affinity", affinity);
    for (String list : List.of("containers", "initContainers")) {
      if (left.has(list)) {
        List<JsonObject> containers = new ArrayList<>();
        left.array(list).objects().forEach(c -> containers.add(c.without("resources")));
        left = left.with(list, JsonArray.copyOf(containers));
      }
    }
    return left;
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject job, JsonObject old) {
    return JobStatusValidation.validate(job, old);
  }
}
