package dev.berth.kinds.batch;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.pod.PodTemplateValidation;
import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** What a job's specification may say beside its pods; a CronJob's too. */
final class JobSpecValidation {
  private static final long MOST_INDEXES = 100_000;
  private static final long MOST_OF_MANY = 10_000;
  private static final int MOST_RULES = 20;
  private static final int MOST_CODES = 255;
  private static final int LONGEST_MANAGER = 63;
  private static final int LONGEST_INDEXES = 64 * 1024;
  private static final String HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  private static final List<String> RESTART_POLICIES = List.of("OnFailure", "Never");
  private static final String INDEXED = "Indexed";
  private static final String NEEDS_INDEXES = "requires indexed completion mode";
  private static final String FAILED = "Failed";
  private static final List<String> MODES = List.of("NonIndexed", INDEXED);
  private static final List<String> REPLACEMENT = List.of(FAILED, "TerminatingOrFailed");
  private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");

  private final JsonObject spec;
  private final FieldPath path;
  private final FieldErrorList problems;

  private JobSpecValidation(JsonObject spec, FieldPath path, FieldErrorList problems) {
    this.spec = spec;
    this.path = path;
    this.problems = problems;
  }

  /** Checks a specification, its pods included. */
  static void validate(
      JsonObject spec, FieldPath path, PodValidationOptions options, FieldErrorList problems) {
    JobSpecValidation validation = new JobSpecValidation(spec, path, problems);
    validation.numbers();
    validation.mode();
    validation.failurePolicy();
    validation.successPolicy();
    validation.replacementPolicy();
    PodTemplateValidation.validate(
        spec.object("template"), path.field("template"), options, problems);
    validation.restartPolicy();
  }

  private void replacementPolicy() {
    String policy = spec.text("podReplacementPolicy");
    if (policy != null) {
      problems.oneOf(
          at("podReplacementPolicy"),
          policy,
          spec.has("podFailurePolicy") ? List.of(FAILED) : REPLACEMENT);
    }
  }

  private void restartPolicy() {
    FieldPath at = at("template").field("spec").field("restartPolicy");
    String policy = spec.object("template").object("spec").text("restartPolicy", "");
    if (policy.isEmpty() || policy.equals("Always")) {
      problems.required(at, "valid values: \"OnFailure\", \"Never\"");
    } else if (!RESTART_POLICIES.contains(policy)) {
      problems.oneOf(at, policy, RESTART_POLICIES);
    } else if (spec.has("podFailurePolicy") && !policy.equals("Never")) {
      problems.invalid(
          at, policy, "only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  private FieldPath at(String field) {
    return path.field(field);
  }

  private void numbers() {
    for (String field :
        List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes")) {
      problems.notNegative(spec, field, path);
    }
    if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
      problems.required(at("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
    }
    String manager = spec.text("managedBy");
    if (manager != null && manager.isEmpty()) {
      problems.required(at("managedBy"), "");
    } else if (manager != null) {
      int slash = manager.indexOf('/');
      if (slash <= 0 || slash == manager.length() - 1) {
        problems.invalid(
            at("managedBy"), manager, "must be a domain-prefixed path (such as \"acme.io/foo\")");
      } else {
        String domain = manager.substring(0, slash);
        problems.invalid(at("managedBy"), domain, NameRules.dns1123Subdomain(domain));
        String rest = manager.substring(slash + 1);
        if (!rest.matches(HTTP_PATH)) {
          problems.invalid(
              at("managedBy"),
              rest,
              "Invalid path (regex used for validation is '" + HTTP_PATH + "')");
        }
      }
      if (manager.length() > LONGEST_MANAGER) {
        problems.tooLong(at("managedBy"), LONGEST_MANAGER);
      }
    }
  }

  private void mode() {
    String mode = spec.text("completionMode", "NonIndexed");
    problems.oneOf(at("completionMode"), mode, MODES);
    OptionalLong most = spec.integer("maxFailedIndexes");
    OptionalLong completions = spec.integer("completions");
    if (mode.equals(INDEXED)) {
      if (completions.isEmpty()) {
        problems.required(at("completions"), "when completion mode is Indexed");
      }
      atMost("parallelism", MOST_INDEXES, " when completion mode is Indexed");
      if (completions.isPresent()
          && most.isPresent()
          && most.getAsLong() > completions.getAsLong()) {
        problems.invalid(
            at("maxFailedIndexes"), most.getAsLong(), "must be less than or equal to completions");
      }
      atMost("maxFailedIndexes", MOST_INDEXES, "");
      if (completions.orElse(0) > MOST_INDEXES && spec.has("backoffLimitPerIndex")) {
        many(most);
      }
    } else if (mode.equals("NonIndexed")) {
      for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
        spec.integer(field).ifPresent(n -> problems.invalid(at(field), n, NEEDS_INDEXES));
      }
    }
  }

  private void many(OptionalLong mostFailed) {
    if (mostFailed.isEmpty()) {
      problems.required(
          at("maxFailedIndexes"), "must be specified when completions is above " + MOST_INDEXES);
    }
    String why =
        " when completions are above %d and used with backoff limit per index"
            .formatted(MOST_INDEXES);
    atMost("parallelism", MOST_OF_MANY, why);
    atMost("maxFailedIndexes", MOST_OF_MANY, why);
  }

  private void atMost(String field, long most, String when) {
    spec.integer(field)
        .ifPresent(number -> {
          if (number > most) {
            problems.invalid(at(field), number, "must be less than or equal to " + most + when);
          }
        });
  }

  private void failurePolicy() {
    JsonObject pod = spec.object("template").object("spec");
    Set<String> containers = new HashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      pod.array(list).objects().forEach(c -> containers.add(c.text("name", "")));
    }
    List<JsonObject> rules = spec.object("podFailurePolicy").array("rules").objects();
    FieldPath rulesPath = at("podFailurePolicy").field("rules");
    tooMany(rules.size(), MOST_RULES, rulesPath);
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), rulesPath.index(i), containers);
    }
  }

  private void tooMany(int count, int most, FieldPath at) {
    if (count > most) {
      problems.tooMany(at, count, most);
    }
  }

  private void rule(JsonObject rule, FieldPath at, Set<String> containers) {
    String action = rule.text("action", "");
    if (action.isEmpty()) {
      problems.required(
          at.field("action"), "valid values: [\"" + String.join("\" \"", ACTIONS) + "\"]");
    } else if (action.equals("FailIndex") && !spec.has("backoffLimitPerIndex")) {
      problems.invalid(at.field("action"), action, "requires the backoffLimitPerIndex to be set");
    } else {
      problems.oneOf(at.field("action"), action, ACTIONS);
    }
    List<JsonObject> conditions = rule.array("onPodConditions").objects();
    if (rule.has("onExitCodes")) {
      codes(rule.object("onExitCodes"), at.field("onExitCodes"), containers);
    }
    tooMany(conditions.size(), MOST_RULES, at.field("onPodConditions"));
    for (int i = 0; i < conditions.size(); i++) {
      FieldPath pattern = at.field("onPodConditions").index(i);
      String type = conditions.get(i).text("type", "");
      problems.invalid(pattern.field("type"), type, NameRules.qualifiedName(type));
      problems.oneOf(pattern.field("status"), conditions.get(i).text("status", ""), STATUSES);
    }
    if (rule.has("onExitCodes") == !conditions.isEmpty()) {
      String how =
          conditions.isEmpty()
              ? "one of OnExitCodes and OnPodConditions is required"
              : "both OnExitCodes and OnPodConditions is not supported";
      problems.invalid(at, "specifying " + how);
    }
  }

  private void codes(JsonObject codes, FieldPath at, Set<String> containers) {
    String operator = codes.text("operator", "");
    if (operator.isEmpty()) {
      problems.required(at.field("operator"), "valid values: [\"In\" \"NotIn\"]");
    } else {
      problems.oneOf(at.field("operator"), operator, OPERATORS);
    }
    String container = codes.text("containerName");
    if (container != null && !containers.contains(container)) {
      problems.invalid(
          at.field("containerName"),
          container,
          "must be one of the container or initContainer names in the pod template");
    }
    FieldPath valuesPath = at.field("values");
    List<Object> values = codes.array("values").values();
    if (values.isEmpty()) {
      problems.invalid(valuesPath, JsonNull.NULL, "at least one value is required");
    }
    tooMany(values.size(), MOST_CODES, valuesPath);
    Set<Long> seen = new HashSet<>();
    long last = Long.MIN_VALUE;
    boolean isOrdered = true;
    for (int i = 0; i < values.size(); i++) {
      if (!(values.get(i) instanceof Long code)) {
        continue;
      }
      if (operator.equals("In") && code == 0) {
        problems.invalid(valuesPath.index(i), code, "must not be 0 for the In operator");
      }
      if (!seen.add(code)) {
        problems.duplicate(valuesPath.index(i), code);
      }
      isOrdered &= last <= code;
      last = code;
    }
    if (!isOrdered) {
      problems.invalid(valuesPath, codes.array("values"), "must be ordered");
    }
  }

  private void successPolicy() {
    if (!spec.has("successPolicy")) {
      return;
    }
    if (!spec.text("completionMode", "").equals(INDEXED)) {
      problems.invalid(
          at("successPolicy"),
          InternalForm.of("SuccessPolicy", spec.object("successPolicy")),
          NEEDS_INDEXES);
      return;
    }
    FieldPath rulesPath = at("successPolicy").field("rules");
    List<JsonObject> rules = spec.object("successPolicy").array("rules").objects();
    if (rules.isEmpty()) {
      problems.required(
          rulesPath, "at least one rules must be specified when the successPolicy is specified");
    }
    tooMany(rules.size(), MOST_RULES, rulesPath);
    long completions = spec.integer("completions").orElse(0);
    for (int i = 0; i < rules.size(); i++) {
      success(rules.get(i), rulesPath.index(i), completions);
    }
  }

  private void success(JsonObject rule, FieldPath at, long completions) {
    String indexes = rule.text("succeededIndexes");
    OptionalLong count = rule.integer("succeededCount");
    if (indexes == null && count.isEmpty()) {
      problems.required(at, "at least one of succeededCount or succeededIndexes must be specified");
    }
    long total = 0;
    if (indexes != null && indexes.length() > LONGEST_INDEXES) {
      problems.tooLong(at.field("succeededIndexes"), LONGEST_INDEXES);
    }
    if (indexes != null) {
      switch (IndexText.read(indexes, completions)) {
        case IndexText.Good(long size) -> total = size;
        case IndexText.Bad(String why) ->
            problems.invalid(
                at.field("succeededIndexes"), indexes, "error parsing succeededIndexes: " + why);
      }
    }
    problems.notNegative(rule, "succeededCount", at);
    if (count.isPresent() && count.getAsLong() > completions) {
      problems.invalid(
          at.field("succeededCount"),
          count.getAsLong(),
          "must be less than or equal to %d (the number of specified completions)"
              .formatted(completions));
    }
    if (indexes != null && count.isPresent() && count.getAsLong() > total) {
      problems.invalid(
          at.field("succeededCount"),
          count.getAsLong(),
          "must be less than or equal to %d (the number of indexes in the specified succeededIndexes field)"
              .formatted(total));
    }
  }
}
