package dev.berth.policy.cronjob;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
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
 */
public final class CronJobDecision {
  /** More missed times than this are worth a warning. */
  private static final int MANY = 100;

  private static final DateTimeFormatter FOR_PEOPLE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss xx", Locale.ROOT);

  private final JsonObject cronJob;
  private final Known known;
  private final Instant now;
  private final CronJobSpec spec;
  private final CronJobStatus status;
  private final Map<String, CronJobChild> children;

  /**
   * What is known of a cron job's jobs.
   *
   * @param children those that it controls
   * @param gone uids of those that were looked for and are not there
   * @param started the latest time for which a job is known to have been started; empty if none is
   * @param rescheduled when the schedule was changed, if that was heard: the new one does not speak
   *     of the times before
   */
  public record Known(
      List<CronJobChild> children,
      Set<String> gone,
      Optional<Instant> started,
      Optional<Instant> rescheduled) {}

  private CronJobDecision(JsonObject cronJob, Known known, Instant now) {
    this.cronJob = cronJob;
    this.known = known;
    this.now = now;
    this.spec = CronJobSpec.of(cronJob);
    this.status = CronJobStatus.of(cronJob);
    this.children =
        known.children().stream()
            .collect(Collectors.toMap(child -> child.metadata().uid(), child -> child));
  }

  public static CronJobStep decide(JsonObject cronJob, Known known, Instant now) {
    return new CronJobDecision(cronJob, known, now).decide();
  }

  private CronJobStep decide() {
    List<JsonObject> unheardOf = status.active().stream().filter(this::isUnheardOf).toList();
    if (!unheardOf.isEmpty()) {
      return new CronJobStep.Check(unheardOf);
    }
    List<CronJobNote> notes = new ArrayList<>();
    CronJobStatus is = new CronJobStatus(active(notes), lastSchedule(), lastSuccess());
    if (!is.equals(status)) {
      return new CronJobStep.Write(is.tree(), notes);
    }
    List<JsonObject> surplus = new ArrayList<>(surplus(spec.failedLimit(), CronJobChild::isFailed));
    surplus.addAll(surplus(spec.successfulLimit(), CronJobChild::isComplete));
    return surplus.isEmpty() ? start() : new CronJobStep.Clean(surplus);
  }

  private boolean isUnheardOf(JsonObject reference) {
    String uid = reference.text("uid", "");
    return !children.containsKey(uid) && !known.gone().contains(uid);
  }

  private List<JsonObject> active(List<CronJobNote> notes) {
    List<JsonObject> active = new ArrayList<>();
    Set<String> entered = new HashSet<>();
    for (JsonObject reference : status.active()) {
      CronJobChild child = children.get(reference.text("uid", ""));
      if (child == null) {
        String name = reference.text("name", "");
        notes.add(CronJobNote.normal("MissingJob", "Active job went missing: " + name));
      } else if (child.isFinished()) {
        notes.add(
            CronJobNote.normal(
                "SawCompletedJob",
                "Saw completed job: %s, condition: %s"
                    .formatted(child.metadata().name(), child.outcome())));
      } else if (!isReplaced(child)) {
        active.add(reference);
        entered.add(child.metadata().uid());
      }
    }
    for (CronJobChild child : known.children()) {
      boolean isMissing = runs(child) && !entered.contains(child.metadata().uid());
      if (isMissing && child.scheduledTime(cronJob).isPresent()) {
        active.add(child.reference());
      }
    }
    return active;
  }

  private static boolean runs(CronJobChild child) {
    return !child.isFinished() && !child.isGoing();
  }

  /** A job that was deleted to make way is no longer in the way, even if something keeps it. */
  private boolean isReplaced(CronJobChild child) {
    return child.isGoing() && spec.concurrency() == CronJobSpec.Concurrency.REPLACE;
  }

  private Optional<Instant> lastSchedule() {
    Stream<Instant> times =
        known.children().stream().flatMap(child -> child.scheduledTime(cronJob).stream());
    return Stream.of(times, known.started().stream(), status.lastSchedule().stream())
        .flatMap(all -> all)
        .max(Instant::compareTo);
  }

  private Optional<Instant> lastSuccess() {
    Stream<Instant> times =
        known.children().stream()
            .filter(CronJobChild::isComplete)
            .flatMap(child -> child.completionTime().stream());
    return Stream.concat(times, status.lastSuccess().stream()).max(Instant::compareTo);
  }

  private List<JsonObject> surplus(OptionalLong limit, Predicate<CronJobChild> isOfKind) {
    if (limit.isEmpty()) {
      return List.of();
    }
    List<CronJobChild> ended =
        known.children().stream()
            .filter(child -> !child.isGoing() && isOfKind.test(child))
            .sorted(CronJobChild.BY_START)
            .toList();
    long count = Math.max(0, ended.size() - limit.getAsLong());
    return ended.stream().limit(count).map(CronJobChild::job).toList();
  }

  private CronJobStep start() {
    List<CronJobNote> notes = new ArrayList<>();
    for (CronJobChild child : known.children()) {
      if (runs(child) && child.scheduledTime(cronJob).isEmpty()) {
        String name = child.metadata().name();
        notes.add(
            CronJobNote.warning(
                "UnexpectedJob",
                "Saw a job that the controller did not create or forgot: " + name));
      }
    }
    Metadata metadata = Metadata.of(cronJob);
    if (metadata.isBeingDeleted()) {
      return waiting(Optional.empty(), notes);
    }
    String zoneName = spec.timeZone().orElse("");
    Optional<ZoneId> zone = CronSchedule.zone(zoneName);
    if (zone.isEmpty()) {
      String why = "invalid timeZone: \"%s\": unknown time zone %s".formatted(zoneName, zoneName);
      return waiting(Optional.empty(), notes, CronJobNote.warning("UnknownTimeZone", why));
    }
    if (spec.suspended()) {
      return waiting(Optional.empty(), notes);
    }
    if (spec.schedule().contains("TZ")) {
      notes.add(
          CronJobNote.warning(
              "UnsupportedSchedule",
              "CRON_TZ or TZ used in schedule \"%s\" is not officially supported, see"
                      .formatted(spec.schedule())
                  + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for"
                  + " more details"));
    }
    return switch (CronSchedule.parse(spec.schedule(), zone.get())) {
      case CronSchedule.Parsed.Valid(CronSchedule schedule) -> start(schedule, zone.get(), notes);
      case CronSchedule.Parsed.Invalid(String why) ->
          waiting(
              Optional.empty(),
              notes,
              CronJobNote.warning(
                  "UnparseableSchedule",
                  "unparseable schedule: \"%s\" : %s".formatted(spec.schedule(), why)));
    };
  }

  private CronJobStep start(CronSchedule schedule, ZoneId zone, List<CronJobNote> notes) {
    Instant since =
        status.lastSchedule().or(() -> Metadata.of(cronJob).creationTimestamp()).orElse(now);
    Optional<Instant> latest = schedule.latest(since, now);
    Optional<Instant> next = schedule.next(latest.orElse(since));
    Optional<Instant> due =
        latest.filter(time -> known.rescheduled().filter(time::isBefore).isEmpty());
    if (next.isEmpty()) {
      notes.add(
          CronJobNote.warning(
              "InvalidSchedule",
              "invalid schedule: %s : there is no such time within five years"
                  .formatted(spec.schedule())));
    }
    if (due.isEmpty()) {
      return waiting(next, notes);
    }
    Instant time = due.get();
    if (isTooLate(time)) {
      String at = FOR_PEOPLE.format(time.atOffset(ZoneOffset.UTC));
      return waiting(
          next,
          notes,
          CronJobNote.warning("MissSchedule", "Missed scheduled time to start a job: " + at));
    }
    if (spec.concurrency() == CronJobSpec.Concurrency.FORBID && !status.active().isEmpty()) {
      return waiting(
          next,
          notes,
          CronJobNote.normal(
              "JobAlreadyActive",
              "Not starting job because prior execution is running and concurrency policy is"
                  + " Forbid"));
    }
    if (missedMany(schedule, since)) {
      notes.add(
          CronJobNote.warning(
              "TooManyMissedTimes",
              "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or"
                  + " check clock skew"));
    }
    return new CronJobStep.Start(
        time, CronJobChild.of(cronJob, time, zone), replaced(), waiting(next, notes));
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
        status.active().stream().map(job -> job.text("uid", "")).collect(Collectors.toSet());
    return known.children().stream()
        .filter(child -> active.contains(child.metadata().uid()))
        .map(CronJobChild::job)
        .toList();
  }

  private static CronJobStep.Wait waiting(
      Optional<Instant> until, List<CronJobNote> notes, CronJobNote... further) {
    List<CronJobNote> all = new ArrayList<>(notes);
    all.addAll(List.of(further));
    return new CronJobStep.Wait(until, List.copyOf(all));
  }
}
