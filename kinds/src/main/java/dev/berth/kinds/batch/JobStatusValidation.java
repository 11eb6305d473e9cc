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
    validation.conditions();
    validation.times();
    validation.indexes();
    validation.pods();
    return validation.problems.all();
  }

  private static boolean is(JsonObject status, String condition) {
    return Conditions.isTrue(status.array("conditions"), condition);
  }

  private static boolean isFinished(JsonObject status) {
    return is(status, COMPLETE) || is(status, FAILED);
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
    boolean canShrink =
        spec.text("completionMode", "").equals("Indexed")
            && Objects.equals(spec.get("completions"), spec.get("parallelism"));
    for (String field : List.of("failed", "succeeded")) {
      long is = after.integer(field).orElse(0);
      boolean mayFall = field.equals("succeeded") && canShrink;
      if (!mayFall && is < before.integer(field).orElse(0)) {
        problems.invalid(STATUS.field(field), is, "cannot decrease the " + field + " counter");
      }
    }
  }

  private void uncounted() {
    Set<String> seen = new HashSet<>();
    FieldPath path = STATUS.field("uncountedTerminatedPods");
    JsonObject uncounted = after.object("uncountedTerminatedPods");
    for (String list : List.of("succeeded", "failed")) {
      List<String> uids = uncounted.array(list).texts();
      for (int i = 0; i < uids.size(); i++) {
        FieldPath at = path.field(list).index(i);
        if (uids.get(i).isEmpty()) {
          problems.invalid(at, "", "must not be empty");
        } else if (!seen.add(uids.get(i))) {
          problems.duplicate(at, uids.get(i));
        }
      }
    }
    if (isFinished(after) && !isFinished(before) && !seen.isEmpty()) {
      problems.invalid(
          path,
          InternalForm.of("UncountedTerminatedPods", uncounted),
          "must be empty for finished job");
    }
  }

  private void conditions() {
    for (String type : List.of(FAILED, COMPLETE, FAILURE_TARGET)) {
      if (is(before, type) && !is(after, type)) {
        conditionProblem("cannot disable the terminal " + type + "=True condition");
      }
    }
    if (is(before, SUCCESS) && !is(after, SUCCESS)) {
      conditionProblem("cannot disable the SuccessCriteriaMet=True condition");
    }
    if (is(before, COMPLETE) && !is(before, SUCCESS) && is(after, SUCCESS)) {
      conditionProblem(
          "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
    }
    both(COMPLETE, FAILED);
    both(COMPLETE, FAILURE_TARGET);
    both(SUCCESS, FAILED);
    both(SUCCESS, FAILURE_TARGET);
    if (spec.has("successPolicy") && !is(after, SUCCESS) && is(after, COMPLETE)) {
      conditionProblem(
          "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
    }
    long active = after.integer("active").orElse(0);
    boolean isNew = !isFinished(before) || changes("active");
    if (isFinished(after) && active > 0 && isNew) {
      problems.invalid(STATUS.field("active"), active, "active>0 is invalid for finished job");
    }
  }

  /** Pods that a status cannot have: more ready ones than there are, or any after the end. */
  private void pods() {
    long ready = after.integer("ready").orElse(0);
    if ((changes("ready") || changes("active")) && ready > after.integer("active").orElse(0)) {
      problems.invalid(STATUS.field("ready"), ready, "cannot set more ready pods than active");
    }
    long terminating = after.integer("terminating").orElse(0);
    boolean isNew = isFinished(before) != isFinished(after) || changes("terminating");
    if (isNew && isFinished(after) && terminating > 0) {
      problems.invalid(
          STATUS.field("terminating"), terminating, "terminating>0 is invalid for finished job");
    }
  }

  private void both(String one, String other) {
    if (is(after, one) && is(after, other) && !(is(before, one) && is(before, other))) {
      conditionProblem("cannot set " + one + "=True and " + other + "=true conditions");
    }
  }

  private void times() {
    String start = after.text("startTime");
    String completion = after.text("completionTime");
    FieldPath startPath = STATUS.field("startTime");
    FieldPath completionPath = STATUS.field("completionTime");
    boolean isSuspended = spec.flag("suspend", false) || is(before, "Suspended");
    if (before.has("startTime") && changes("startTime") && !isSuspended) {
      problems.invalid(
          startPath,
          start == null ? JsonNull.NULL : start,
          "field is immutable for unsuspended job once set");
    }
    if (start == null && isFinished(after) && !isFinished(before)) {
      problems.required(startPath, "startTime is required for finished job");
    }
    if (completion == null && is(after, COMPLETE) && !is(before, COMPLETE)) {
      problems.required(completionPath, "completionTime is required for Complete jobs");
    }
    if (completion == null || !changes("completionTime")) {
      return;
    }
    if (before.has("completionTime")) {
      problems.invalid(completionPath, completion, "field is immutable");
    }
    if (!is(after, COMPLETE)) {
      problems.invalid(
          completionPath,
          completion,
          "cannot set completionTime when there is no Complete=True condition");
    }
    if (start != null && Times.parse(completion).isBefore(Times.parse(start))) {
      problems.invalid(completionPath, completion, "must be equal to or after `startTime`");
    }
  }

  private void indexes() {
    boolean isIndexed = spec.text("completionMode", "").equals("Indexed");
    for (String field : List.of("completedIndexes", "failedIndexes")) {
      String text = after.text(field, "");
      if (!changes(field) || text.isEmpty()) {
        continue;
      }
      if (!isIndexed) {
        problems.invalid(
            STATUS.field(field),
            text,
            field.equals("completedIndexes")
                ? "cannot set non-empty completedIndexes when non-indexed completion mode"
                : "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
      } else if (IndexText.read(text, spec.integer("completions").orElse(0))
          instanceof IndexText.Bad(String why)) {
        problems.invalid(STATUS.field(field), text, "error parsing " + field + ": " + why);
      }
    }
  }
}
