package dev.berth.apiserver.table;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;

/** How what makes pods is printed. */
public final class WorkloadColumns {
  public static final String POD = "spec.template.spec";

  public static final Column READY_OF_REPLICAS =
      Column.text(
          "Ready",
          "How many of the wanted pods are ready.",
          object ->
              object.object("status").integer("readyReplicas").orElse(0)
                  + "/"
                  + object.object("spec").integer("replicas").orElse(0));

  public static final Column UP_TO_DATE =
      Column.number(
          "Up-to-date",
          "How many pods are of the latest template.",
          Cells.number("status.updatedReplicas"));

  public static final Column AVAILABLE =
      Column.number(
          "Available",
          "How many pods have been ready for long enough.",
          Cells.number("status.availableReplicas"));

  public static final Column DESIRED_REPLICAS =
      Column.number("Desired", "How many pods are wanted.", Cells.number("spec.replicas"));

  public static final Column CURRENT_REPLICAS =
      Column.number("Current", "How many pods there are.", Cells.number("status.replicas"));

  public static final Column READY_REPLICAS =
      Column.number("Ready", "How many pods are ready.", Cells.number("status.readyReplicas"));

  public static final Column DAEMON_DESIRED =
      Column.number(
          "Desired", "How many nodes want a pod.", Cells.number("status.desiredNumberScheduled"));

  public static final Column DAEMON_CURRENT =
      Column.number(
          "Current", "How many of them have one.", Cells.number("status.currentNumberScheduled"));

  public static final Column DAEMON_READY =
      Column.number("Ready", "How many pods are ready.", Cells.number("status.numberReady"));

  public static final Column DAEMON_UP_TO_DATE =
      Column.number(
          "Up-to-date",
          "How many pods are of the latest template.",
          Cells.number("status.updatedNumberScheduled"));

  public static final Column DAEMON_AVAILABLE =
      Column.number(
          "Available",
          "How many pods have been ready for long enough.",
          Cells.number("status.numberAvailable"));

  public static final Column NODE_SELECTOR =
      Column.text(
          "Node Selector",
          "Which nodes are meant, by their labels.",
          set ->
              Cells.labels(
                  set.object("spec").object("template").object("spec").object("nodeSelector")));

  public static final Column JOB_STATUS =
      Column.text("Status", "How far the job is.", WorkloadColumns::jobStatus);

  public static final Column COMPLETIONS =
      Column.text(
          "Completions",
          "How many pods of how many succeeded.",
          job ->
              job.object("status").integer("succeeded").orElse(0)
                  + "/"
                  + job.object("spec").integer("completions").orElse(1));

  public static final Column DURATION =
      Column.timed("Duration", "How long the job has taken.", WorkloadColumns::duration);

  public static final Column SCHEDULE =
      Column.text("Schedule", "When jobs are made.", Cells.text("spec.schedule", ""));

  public static final Column TIME_ZONE =
      Column.text(
          "Timezone", "Whose time the schedule means.", Cells.text("spec.timeZone", Cells.NONE));

  public static final Column SUSPEND =
      Column.text(
          "Suspend",
          "Whether no jobs are made for now.",
          job -> job.object("spec").flag("suspend", false) ? "True" : "False");

  public static final Column ACTIVE =
      Column.number(
          "Active",
          "How many jobs run.",
          job -> (long) job.object("status").array("active").size());

  public static final Column LAST_SCHEDULE =
      Column.timed(
          "Last Schedule",
          "When a job was made last.",
          (job, now) -> {
            String last = job.object("status").text("lastScheduleTime");
            return last == null ? Cells.NONE : Ages.since(last, now);
          });

  private WorkloadColumns() {}

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
    return Conditions.isTrue(conditions, "FailureTarget") ? "FailureTarget" : "Running";
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
