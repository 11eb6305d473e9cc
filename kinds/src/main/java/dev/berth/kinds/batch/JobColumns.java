package dev.berth.kinds.batch;

import dev.berth.kinds.column.Ages;
import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;

/** How jobs and cron jobs are printed. */
final class JobColumns {
  static final Column JOB_STATUS =
      Column.text("Status", "How far the job is.", JobColumns::jobStatus);

  static final Column COMPLETIONS =
      Column.text("Completions", "How many pods of how many succeeded.", JobColumns::completions);

  static final Column DURATION =
      Column.timed("Duration", "How long the job has taken.", JobColumns::duration);

  static final Column SCHEDULE =
      Column.text("Schedule", "When jobs are made.", Cells.text("spec.schedule", ""));

  static final Column TIME_ZONE =
      Column.text(
          "Timezone", "Whose time the schedule means.", Cells.text("spec.timeZone", Cells.NONE));

  static final Column SUSPEND =
      Column.text(
              "Suspend",
              "Whether no jobs are made for now.",
              job -> job.object("spec").flag("suspend", false) ? "True" : "False")
          .typed("boolean");

  static final Column ACTIVE =
      Column.number(
          "Active",
          "How many jobs run.",
          job -> (long) job.object("status").array("active").size());

  static final Column LAST_SCHEDULE =
      Column.timed(
          "Last Schedule",
          "When a job was made last.",
          (job, now) -> {
            String last = job.object("status").text("lastScheduleTime");
            return last == null ? Cells.NONE : Ages.since(last, now);
          });

  private JobColumns() {}

  private static String completions(JsonObject job) {
    JsonObject spec = job.object("spec");
    String done = job.object("status").integer("succeeded").orElse(0) + "/";
    long parallelism = spec.integer("parallelism").orElse(0);
    if (spec.has("completions") || parallelism <= 1) {
      return done + spec.integer("completions").orElse(1);
    }
    return done + "1 of " + parallelism;
  }

  private static String jobStatus(JsonObject job) {
    JsonArray conditions = job.object("status").array("conditions");
    if (Conditions.isTrue(conditions, "Complete")) {
      return "Complete";
    }
    if (Conditions.isTrue(conditions, "Failed")) {
      return "Failed";
    }
    if (job.object("metadata").has("deletionTimestamp")) {
      return "Terminating";
    }
    if (Conditions.isTrue(conditions, "Suspended")) {
      return "Suspended";
    }
    if (Conditions.isTrue(conditions, "FailureTarget")) {
      return "FailureTarget";
    }
    return Conditions.isTrue(conditions, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
  }

  private static Object duration(JsonObject job, Instant now) {
    String begin = job.object("status").text("startTime");
    if (begin == null) {
      return "";
    }
    String end = job.object("status").text("completionTime");
    Instant until = end == null ? now : Times.parse(end);
    return Ages.of(Duration.between(Times.parse(begin), until));
  }
}
