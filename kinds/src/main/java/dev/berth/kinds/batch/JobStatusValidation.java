package dev.berth.kinds.batch;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * How a job's status may change, whoever manages it. What stands there already and does not change
 * is not looked at again.
 */
final class JobStatusValidation {
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final FieldPath CONDITIONS = STATUS.field("conditions");
  private static final String COMPLETE = "Complete";
  private static final String FAILED = "Failed";
  private static final String FAILURE_TARGET = "FailureTarget";
  private static final String SUCCESS = "SuccessCriteriaMet";
  private static final String COMPLETED_INDEXES = "completedIndexes";
  private static final String FAILED_INDEXES = "failedIndexes";
  private static final String UNCOUNTED = "uncountedTerminatedPods";

  private final JsonObject spec;
  private final JsonObject before;
  private final JsonObject after;
  private final FieldErrorList problems = new FieldErrorList();

  private JobStatusValidation(JsonObject job, JsonObject old) {
    this.spec = job.object("spec");
    this.before = old.object("status");
    this.after = job.object("status");
  }

  static List<FieldError> validate(JsonObject job, JsonObject old) {
    JobStatusValidation validation = new JobStatusValidation(job, old);
    validation.counters();
    validation.uncounted();
    validation.completion();
    validation.end();
    validation.indexes();
    validation.pods();
    validation.success();
    validation.transitions();
    return validation.problems.all();
  }

  private static boolean is(JsonObject status, String condition) {
    return Conditions.isTrue(status.array("conditions"), condition);
  }

  private static boolean isFinished(JsonObject status) {
    return is(status, COMPLETE) || is(status, FAILED);
  }

  private boolean becomes(String condition) {
    return is(before, condition) != is(after, condition);
  }

  private boolean finishes() {
    return isFinished(before) != isFinished(after);
  }

  private boolean changes(String field) {
    return !Objects.equals(before.get(field), after.get(field));
  }

  private void conditionProblem(String detail) {
    problems.addAll(
        List.of(new FieldError(FieldError.Reason.INVALID, CONDITIONS.toString(), null, detail)));
  }

  private void counters() {
    for (String field : List.of("active", "succeeded", "failed", "ready", "terminating")) {
      problems.notNegative(after, field, STATUS);
    }
  }

  private void uncounted() {
    Set<String> seen = new HashSet<>();
    for (String list : List.of("succeeded", "failed")) {
      List<String> uids = after.object(UNCOUNTED).array(list).texts();
      for (int i = 0; i < uids.size(); i++) {
        FieldPath at = STATUS.field(UNCOUNTED).field(list).index(i);
        if (uids.get(i).isEmpty()) {
          problems.invalid(at, "", "must not be empty");
        } else if (!seen.add(uids.get(i))) {
          problems.duplicate(at, uids.get(i));
        }
      }
    }
  }

  private void completion() {
    boolean complete = is(after, COMPLETE);
    if (complete && is(after, FAILED) && (becomes(COMPLETE) || becomes(FAILED))) {
      conditionProblem("cannot set Complete=True and Failed=true conditions");
    }
    if (complete && is(after, FAILURE_TARGET) && (becomes(COMPLETE) || becomes(FAILURE_TARGET))) {
      conditionProblem("cannot set Complete=True and FailureTarget=true conditions");
    }
    String start = after.text("startTime");
    String completion = after.text("completionTime");
    FieldPath at = STATUS.field("completionTime");
    boolean isNew = becomes(COMPLETE) || changes("completionTime");
    if (isNew && completion != null && !complete) {
      problems.invalid(
          at, completion, "cannot set completionTime when there is no Complete=True condition");
    }
    if (isNew && completion == null && complete) {
      problems.required(at, "completionTime is required for Complete jobs");
    }
    if ((changes("startTime") || changes("completionTime"))
        && start != null
        && completion != null
        && Times.parse(completion).isBefore(Times.parse(start))) {
      problems.invalid(at, completion, "must be equal to or after `startTime`");
    }
  }

  /** A job ends in two steps: first it is said how it will, then, without any pods left, it has. */
  private void end() {
    if ((becomes(FAILED) || changes(FAILED_INDEXES))
        && is(after, FAILED)
        && !is(after, FAILURE_TARGET)) {
      conditionProblem("cannot set Failed=True condition without the FailureTarget=true condition");
    }
    if ((becomes(COMPLETE) || becomes(SUCCESS)) && is(after, COMPLETE) && !is(after, SUCCESS)) {
      conditionProblem(
          "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
    if (!isFinished(after)) {
      return;
    }
    long active = after.integer("active").orElse(0);
    if ((finishes() || changes("active")) && active > 0) {
      problems.invalid(STATUS.field("active"), active, "active>0 is invalid for finished job");
    }
    boolean needsNoStart =
        spec.flag("suspend", false) && spec.integer("completions").orElse(-1) == 0;
    if ((finishes() || changes("startTime")) && !needsNoStart && !after.has("startTime")) {
      problems.required(STATUS.field("startTime"), "startTime is required for finished job");
    }
    JsonObject uncounted = after.object(UNCOUNTED);
    if ((finishes() || changes(UNCOUNTED))
        && (!uncounted.array("succeeded").isEmpty() || !uncounted.array("failed").isEmpty())) {
      problems.invalid(
          STATUS.field(UNCOUNTED),
          InternalForm.of("UncountedTerminatedPods", uncounted),
          "must be empty for finished job");
    }
  }

  private void indexes() {
    boolean counts = spec.has("completions");
    boolean limitsEach = spec.has("backoffLimitPerIndex");
    long completions = spec.integer("completions").orElse(0);
    String completed = after.text(COMPLETED_INDEXES, "");
    String failed = after.text(FAILED_INDEXES);
    if (changes(COMPLETED_INDEXES) && counts) {
      format(COMPLETED_INDEXES, completed, completions);
    }
    if (changes(FAILED_INDEXES) && counts && limitsEach && failed != null) {
      format(FAILED_INDEXES, failed, completions);
    }
    boolean isIndexed = spec.text("completionMode", "").equals("Indexed");
    if (changes(COMPLETED_INDEXES) && !completed.isEmpty() && !isIndexed) {
      problems.invalid(
          STATUS.field(COMPLETED_INDEXES),
          completed,
          "cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    if (changes(FAILED_INDEXES) && !limitsEach && failed != null) {
      problems.invalid(
          STATUS.field(FAILED_INDEXES),
          failed,
          "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
    if ((changes(FAILED_INDEXES) || changes(COMPLETED_INDEXES)) && counts && failed != null) {
      IndexText.overlap(completed, failed, completions)
          .ifPresent(index ->
              problems.invalid(
                  STATUS.field(FAILED_INDEXES),
                  failed,
                  "failedIndexes and completedIndexes overlap at index: " + index));
    }
  }

  private void format(String field, String text, long completions) {
    if (IndexText.read(text, completions) instanceof IndexText.Bad(String why)) {
      problems.invalid(STATUS.field(field), text, "error parsing " + field + ": " + why);
    }
  }

  /** Pods that a status cannot have: any after the end, or more ready ones than there are. */
  private void pods() {
    long terminating = after.integer("terminating").orElse(0);
    if ((finishes() || changes("terminating")) && isFinished(after) && terminating > 0) {
      problems.invalid(
          STATUS.field("terminating"), terminating, "terminating>0 is invalid for finished job");
    }
    long ready = after.integer("ready").orElse(0);
    if ((changes("ready") || changes("active")) && ready > after.integer("active").orElse(0)) {
      problems.invalid(STATUS.field("ready"), ready, "cannot set more ready pods than active");
    }
  }

  private void success() {
    for (String other : List.of(FAILED, FAILURE_TARGET)) {
      if (is(after, SUCCESS) && is(after, other)) {
        conditionProblem("cannot set SuccessCriteriaMet=True and " + other + "=true conditions");
      }
    }
    if (spec.has("successPolicy") && !is(after, SUCCESS) && is(after, COMPLETE)) {
      conditionProblem(
          "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
    }
  }

  /** What was said once stays said. */
  private void transitions() {
    for (String type : List.of(FAILED, COMPLETE, FAILURE_TARGET)) {
      if (is(before, type) && !is(after, type)) {
        conditionProblem("cannot disable the terminal " + type + "=True condition");
      }
    }
    boolean canShrink =
        spec.text("completionMode", "").equals("Indexed")
            && Objects.equals(spec.get("completions"), spec.get("parallelism"));
    for (String field : List.of("failed", "succeeded")) {
      long count = after.integer(field).orElse(0);
      boolean mayFall = field.equals("succeeded") && canShrink;
      if (!mayFall && count < before.integer(field).orElse(0)) {
        problems.invalid(STATUS.field(field), count, "cannot decrease the " + field + " counter");
      }
    }
    if (before.has("completionTime") && after.has("completionTime") && changes("completionTime")) {
      problems.invalid(
          STATUS.field("completionTime"), after.text("completionTime", ""), "field is immutable");
    }
    boolean resumes =
        is(before, "Suspended")
            && Conditions.find(after.array("conditions"), "Suspended")
                .filter(suspended -> suspended.text("status", "").equals("False"))
                .isPresent();
    if (before.has("startTime")
        && changes("startTime")
        && !resumes
        && !spec.flag("suspend", false)) {
      Object start = after.get("startTime");
      problems.invalid(
          STATUS.field("startTime"),
          start == null ? JsonNull.NULL : start,
          "field is immutable for unsuspended job once set");
    }
    if (is(before, SUCCESS) && !is(after, SUCCESS)) {
      conditionProblem("cannot disable the SuccessCriteriaMet=True condition");
    }
    if (is(before, COMPLETE) && !is(before, SUCCESS) && is(after, SUCCESS)) {
      conditionProblem(
          "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
    }
  }
}
