package dev.berth.kinds.batch;

import dev.berth.kinds.pod.PodSpecDefaults;
import dev.berth.kinds.pod.PodSpecValidation;
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
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Jobs: their selector is made from their UID, so that they never take each other's pods. */
final class JobRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final long BACKOFF_LIMIT = 6;
  private static final List<String> NAME_LABELS =
      List.of(WellKnownLabels.JOB_NAME, WellKnownLabels.LEGACY_JOB_NAME);
  private static final List<String> UID_LABELS =
      List.of(WellKnownLabels.JOB_CONTROLLER_UID, WellKnownLabels.LEGACY_CONTROLLER_UID);
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
    return FieldRules.within(job, "spec", JobRules::ofSpec);
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

  private static JsonObject failurePolicy(JsonObject policy) {
    List<JsonObject> rules = new ArrayList<>();
    for (JsonObject rule : policy.array("rules").objects()) {
      List<JsonObject> patterns = new ArrayList<>();
      for (JsonObject pattern : rule.array("onPodConditions").objects()) {
        patterns.add(FieldRules.orDefault(pattern, "status", "True"));
      }
      rules.add(
          patterns.isEmpty() ? rule : rule.with("onPodConditions", JsonArray.copyOf(patterns)));
    }
    return policy.with("rules", JsonArray.copyOf(rules));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject job, Instant now) {
    if (job.object("spec").flag("manualSelector", false)) {
      return job;
    }
    Metadata metadata = Metadata.of(job);
    return FieldRules.within(
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
  public List<FieldError> validate(JsonObject job) {
    return validate(job, tolerations);
  }

  private static List<FieldError> validate(JsonObject job, TolerationRules allowed) {
    List<FieldError> errors = new ArrayList<>(selector(job));
    errors.addAll(validateSpec(job, SPEC, allowed));
    JsonObject spec = job.object("spec");
    long last = spec.integer("completions").orElse(0) - 1;
    String name = Metadata.of(job).name();
    String host = name + "-" + last;
    boolean isIndexed = spec.text("completionMode", "").equals("Indexed");
    if (isIndexed && last >= 0 && !NameRules.dns1123Label(host).isEmpty()) {
      errors.add(
          FieldError.invalid(
              "metadata.name",
              name,
              "will not able to create pod with invalid DNS label: " + host));
    }
    return errors;
  }

  /** A selector selects the template's pods, and one that was made selects no others. */
  private static List<FieldError> selector(JsonObject job) {
    JsonObject spec = job.object("spec");
    if (!spec.has("selector")) {
      return List.of(FieldError.required("spec.selector", ""));
    }
    List<FieldError> errors = new ArrayList<>();
    FieldPath labelsPath = SPEC.field("template").field("metadata").field("labels");
    JsonObject labels = spec.object("template").object("metadata").object("labels");
    JsonObject selector = spec.object("selector");
    errors.addAll(LabelSelectorForm.validate(selector, "spec.selector"));
    if (!spec.flag("manualSelector", false)) {
      Metadata metadata = Metadata.of(job);
      NAME_LABELS.forEach(key -> errors.addAll(label(labels, key, metadata.name())));
      UID_LABELS.forEach(key -> errors.addAll(label(labels, key, metadata.uid())));
    }
    if (errors.isEmpty() && !LabelSelector.fromTree(selector).matches(labels)) {
      errors.add(
          FieldError.invalid(
              labelsPath.toString(), labels, "`selector` does not match template `labels`"));
    }
    return errors;
  }

  private static List<FieldError> label(JsonObject labels, String key, String expected) {
    FieldPath at = SPEC.field("template").field("metadata").field("labels").key(key);
    String value = labels.text(key);
    String problem = "must be '" + expected + "'";
    if (value == null) {
      return List.of(FieldError.required(at.toString(), problem));
    }
    return value.equals(expected)
        ? List.of()
        : List.of(FieldError.invalid(at.toString(), labels, problem));
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject job, JsonObject old) {
    return validate(job, replacing(old, SPEC, tolerations));
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
    JsonObject tree = spec.get(object) instanceof JsonObject there ? there : JsonObject.EMPTY;
    List<FieldError> errors = new ArrayList<>(JobSpecValidation.validate(tree, spec));
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
          FieldRules.oneOf(
              template.field("restartPolicy"), pod.text("restartPolicy", ""), RESTART_POLICIES));
    }
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject job, JsonObject old) {
    List<FieldError> errors =
        new ArrayList<>(FieldRules.immutable(SPEC.field("selector"), job, old));
    for (String field :
        List.of(
            "completionMode",
            "podFailurePolicy",
            "backoffLimitPerIndex",
            "managedBy",
            "successPolicy")) {
      errors.addAll(FieldRules.immutable(SPEC.field(field), job, old));
    }
    errors.addAll(completions(job, old));
    errors.addAll(template(job, old));
    return errors;
  }

  /** An indexed job may grow and shrink if all of it runs at once. */
  private static List<FieldError> completions(JsonObject job, JsonObject old) {
    FieldPath at = SPEC.field("completions");
    List<FieldError> fixed = FieldRules.immutable(at, job, old);
    JsonObject spec = job.object("spec");
    if (fixed.isEmpty() || !spec.text("completionMode", "").equals("Indexed")) {
      return fixed;
    }
    Object completions = spec.get("completions");
    return completions == null || completions.equals(spec.get("parallelism"))
        ? List.of()
        : List.of(
            FieldError.invalid(
                at.toString(),
                completions,
                "can only be modified in tandem with spec.parallelism"));
  }

  /**
   * What pods are made from changes only while there are none: where they go and what they take, of
   * a suspended job that has not begun or has no pods left.
   */
  private static List<FieldError> template(JsonObject job, JsonObject old) {
    FieldPath at = SPEC.field("template");
    JsonObject status = old.object("status");
    boolean isIdle =
        old.object("spec").flag("suspend", false)
            && status.integer("active").orElse(0) == 0
            && (!status.has("startTime")
                || Conditions.isTrue(status.array("conditions"), "Suspended"));
    return isIdle
        ? FieldRules.immutable(at, withoutDirectives(job), withoutDirectives(old))
        : FieldRules.immutable(at, job, old);
  }

  private static JsonObject withoutDirectives(JsonObject job) {
    return FieldRules.within(
        job,
        "spec",
        spec ->
            FieldRules.within(
                spec,
                "template",
                template ->
                    FieldRules.within(
                        FieldRules.within(
                            template, "metadata", m -> m.without("labels").without("annotations")),
                        "spec",
                        JobRules::withoutDirectivesOfPod)));
  }

  private static JsonObject withoutDirectivesOfPod(JsonObject pod) {
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
