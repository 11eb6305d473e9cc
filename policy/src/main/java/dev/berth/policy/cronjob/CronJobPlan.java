package dev.berth.policy.cronjob;

import dev.berth.model.batch.CronJobSpec;
import dev.berth.model.batch.CronJobStatus;
import dev.berth.model.batch.CronJobView;
import dev.berth.model.batch.JobReference;
import dev.berth.model.batch.JobView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is to be done about a cron job, one step at a time.
 *
 * <ol>
 *   <li>The status comes first. It follows from what it was and from the jobs that are there, so
 *       that a job is entered even if whoever started it crashed: a job that runs is active, one
 *       that has ended is not, and the latest time of any is the time of the last start.
 *   <li>Finished jobs beyond the limits are deleted, the oldest first; never before their time is
 *       in the status, since it is the name of a job that keeps another from starting for the same
 *       time.
 *   <li>Of the times since the last start, or since the cron job was made, the latest counts. If it
 *       is not too late, and no other job is in its way, a job starts. Times that a new schedule
 *       would have had are not made up for.
 *   <li>One that is being deleted, that is suspended, or whose schedule or zone cannot be read
 *       starts none.
 * </ol>
 *
 * <p>Unlike upstream, a job that this cron job started is entered in its status whenever it is
 * missing there, and a deadline does not move the times of {@code @every}.
 *
 * @param withStatus the cron job with its status as it is to be
 * @param goesOn whether only the status was decided about
 * @param remarks what there is to say of it, which is told if it was not the last time
 * @param next when it is time for a job
 */
public record CronJobPlan(
    List<CronJobAction> actions,
    JsonObject withStatus,
    List<Note> notes,
    boolean goesOn,
    List<Note> remarks,
    Optional<Instant> next)
    implements Decision<CronJobAction> {
  /** More missed times than this are worth a warning. */
  private static final int MANY = 100;

  private static final DateTimeFormatter FOR_PEOPLE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss xx", Locale.ROOT);

  public CronJobPlan {
    actions = List.copyOf(actions);
    notes = List.copyOf(notes);
    remarks = List.copyOf(remarks);
  }

  public static CronJobPlan decide(CronJobSnapshot snapshot, Instant now) {
    return new Step(snapshot, now).plan();
  }

  /** The decision in the making. */
  private static final class Step {
    private final CronJobSnapshot snapshot;
    private final CronJobView cronJob;
    private final CronJobSpec spec;
    private final CronJobStatus status;
    private final Instant now;
    private final Map<String, CronJobChild> children;

    /** What there is to say. */
    private final List<Note> remarks = new ArrayList<>();

    Step(CronJobSnapshot snapshot, Instant now) {
      this.snapshot = snapshot;
      this.cronJob = snapshot.cronJob();
      this.spec = cronJob.spec();
      this.status = cronJob.status();
      this.now = now;
      this.children =
          snapshot.children().stream()
              .collect(Collectors.toMap(child -> child.metadata().uid(), child -> child));
    }

    CronJobPlan plan() {
      List<JobReference> unheardOf = status.active().stream().filter(this::isUnheardOf).toList();
      if (!unheardOf.isEmpty()) {
        return first(new CronJobAction.Check(unheardOf));
      }
      List<Note> notes = new ArrayList<>();
      CronJobStatus is = new CronJobStatus(active(notes), lastSchedule(), lastSuccess());
      if (!is.equals(status)) {
        JsonObject written = cronJob.tree().with("status", is.toTree());
        return new CronJobPlan(List.of(), written, notes, true, snapshot.said(), Optional.empty());
      }
      List<JsonObject> surplus = new ArrayList<>(surplus(spec.failedLimit(), JobView::isFailed));
      surplus.addAll(surplus(spec.successfulLimit(), JobView::isComplete));
      return surplus.isEmpty() ? start() : first(new CronJobAction.Delete(surplus));
    }

    /** Something comes before it is known what there is to say. */
    private CronJobPlan first(CronJobAction action) {
      return new CronJobPlan(
          List.of(action), cronJob.tree(), List.of(), false, snapshot.said(), Optional.empty());
    }

    private boolean isUnheardOf(JobReference job) {
      String uid = job.uid();
      return !children.containsKey(uid) && !snapshot.gone().contains(uid);
    }

    private List<JobReference> active(List<Note> notes) {
      List<JobReference> active = new ArrayList<>();
      Set<String> entered = new HashSet<>();
      for (JobReference reference : status.active()) {
        CronJobChild child = children.get(reference.uid());
        if (child == null) {
          notes.add(Note.normal("MissingJob", "Active job went missing: " + reference.name()));
        } else if (child.job().isFinished()) {
          notes.add(
              Note.normal(
                  "SawCompletedJob",
                  "Saw completed job: %s, condition: %s"
                      .formatted(child.metadata().name(), child.outcome())));
        } else if (!isReplaced(child)) {
          active.add(reference);
          entered.add(child.metadata().uid());
        }
      }
      for (CronJobChild child : snapshot.children()) {
        boolean isMissing = runs(child) && !entered.contains(child.metadata().uid());
        if (isMissing && child.scheduledTime(cronJob).isPresent()) {
          active.add(JobReference.to(child.job()));
        }
      }
      return active;
    }

    private static boolean runs(CronJobChild child) {
      return !child.job().isFinished() && !child.isGoing();
    }

    /** A job that was deleted to make way is no longer in the way, even if something keeps it. */
    private boolean isReplaced(CronJobChild child) {
      return child.isGoing() && spec.concurrency() == CronJobSpec.Concurrency.REPLACE;
    }

    private Optional<Instant> lastSchedule() {
      Stream<Instant> times =
          snapshot.children().stream().flatMap(child -> child.scheduledTime(cronJob).stream());
      return Stream.of(times, snapshot.started().stream(), status.lastSchedule().stream())
          .flatMap(all -> all)
          .max(Instant::compareTo);
    }

    private Optional<Instant> lastSuccess() {
      Stream<Instant> times =
          snapshot.children().stream()
              .map(CronJobChild::job)
              .filter(JobView::isComplete)
              .flatMap(job -> job.completionTime().stream());
      return Stream.concat(times, status.lastSuccess().stream()).max(Instant::compareTo);
    }

    private List<JsonObject> surplus(OptionalLong limit, Predicate<JobView> isOfKind) {
      if (limit.isEmpty()) {
        return List.of();
      }
      List<CronJobChild> ended =
          snapshot.children().stream()
              .filter(child -> !child.isGoing() && isOfKind.test(child.job()))
              .sorted(CronJobChild.BY_START)
              .toList();
      long count = Math.max(0, ended.size() - limit.getAsLong());
      return ended.stream().limit(count).map(child -> child.job().tree()).toList();
    }

    private CronJobPlan start() {
      for (CronJobChild child : snapshot.children()) {
        if (runs(child) && child.scheduledTime(cronJob).isEmpty()) {
          String name = child.metadata().name();
          remarks.add(
              Note.warning(
                  "UnexpectedJob",
                  "Saw a job that the controller did not create or forgot: " + name));
        }
      }
      if (cronJob.metadata().isBeingDeleted()) {
        return waiting(Optional.empty());
      }
      String zoneName = spec.timeZone().orElse("");
      Optional<ZoneId> zone = CronSchedule.zone(zoneName);
      if (zone.isEmpty()) {
        String why = "invalid timeZone: \"%s\": unknown time zone %s".formatted(zoneName, zoneName);
        return waiting(Optional.empty(), Note.warning("UnknownTimeZone", why));
      }
      if (spec.suspended()) {
        return waiting(Optional.empty());
      }
      if (spec.schedule().contains("TZ")) {
        remarks.add(
            Note.warning(
                "UnsupportedSchedule",
                "CRON_TZ or TZ used in schedule \"%s\" is not officially supported, see"
                        .formatted(spec.schedule())
                    + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for"
                    + " more details"));
      }
      return switch (CronSchedule.parse(spec.schedule(), zone.get())) {
        case CronSchedule.Parsed.Valid(CronSchedule schedule) -> start(schedule, zone.get());
        case CronSchedule.Parsed.Invalid(String why) ->
            waiting(
                Optional.empty(),
                Note.warning(
                    "UnparseableSchedule",
                    "unparseable schedule: \"%s\" : %s".formatted(spec.schedule(), why)));
      };
    }

    private CronJobPlan start(CronSchedule schedule, ZoneId zone) {
      Instant since =
          status.lastSchedule().or(() -> cronJob.metadata().creationTimestamp()).orElse(now);
      Optional<Instant> latest = schedule.latest(since, now);
      Optional<Instant> next = schedule.next(latest.orElse(since));
      Optional<Instant> due =
          latest.filter(time -> snapshot.rescheduled().filter(time::isBefore).isEmpty());
      if (next.isEmpty()) {
        remarks.add(
            Note.warning(
                "InvalidSchedule",
                "invalid schedule: %s : there is no such time within five years"
                    .formatted(spec.schedule())));
      }
      if (due.isEmpty()) {
        return waiting(next);
      }
      Instant time = due.get();
      if (isTooLate(time)) {
        String at = FOR_PEOPLE.format(time.atOffset(ZoneOffset.UTC));
        return waiting(
            next, Note.warning("MissSchedule", "Missed scheduled time to start a job: " + at));
      }
      if (spec.concurrency() == CronJobSpec.Concurrency.FORBID && !status.active().isEmpty()) {
        return waiting(
            next,
            Note.normal(
                "JobAlreadyActive",
                "Not starting job because prior execution is running and concurrency policy is"
                    + " Forbid"));
      }
      if (missedMany(schedule, since)) {
        remarks.add(
            Note.warning(
                "TooManyMissedTimes",
                "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or"
                    + " check clock skew"));
      }
      List<CronJobAction> actions = new ArrayList<>();
      List<JsonObject> replaced = replaced();
      if (!replaced.isEmpty()) {
        actions.add(new CronJobAction.Delete(replaced));
      }
      actions.add(new CronJobAction.Start(time, CronJobChild.of(cronJob, time, zone)));
      return planned(actions, next);
    }

    private boolean isTooLate(Instant time) {
      return spec.startingDeadline().filter(late -> time.plus(late).isBefore(now)).isPresent();
    }

    private boolean missedMany(CronSchedule schedule, Instant since) {
      // Those that are too late anyway do not count.
      Optional<Instant> tooLate =
          spec.startingDeadline().flatMap(late -> schedule.latest(since, now.minus(late)));
      Optional<Instant> time = schedule.next(tooLate.orElse(since));
      for (int missed = 0; missed < MANY; missed++) {
        if (time.isEmpty() || time.get().isAfter(now)) {
          return false;
        }
        time = schedule.next(time.get());
      }
      return time.isPresent() && !time.get().isAfter(now);
    }

    /** The jobs that make way. */
    private List<JsonObject> replaced() {
      if (spec.concurrency() != CronJobSpec.Concurrency.REPLACE) {
        return List.of();
      }
      Set<String> active =
          status.active().stream().map(JobReference::uid).collect(Collectors.toSet());
      return snapshot.children().stream()
          .filter(child -> active.contains(child.metadata().uid()))
          .map(child -> child.job().tree())
          .toList();
    }

    private CronJobPlan waiting(Optional<Instant> until, Note... further) {
      remarks.addAll(List.of(further));
      return planned(List.of(), until);
    }

    private CronJobPlan planned(List<CronJobAction> actions, Optional<Instant> next) {
      return new CronJobPlan(actions, cronJob.tree(), List.of(), false, remarks, next);
    }
  }
}
