package dev.berth.policy.cronjob;

import dev.berth.model.batch.CronJobView;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A cron job and its jobs at an instant, and what the objects do not say.
 *
 * @param children the jobs that it controls
 * @param gone UIDs of jobs that were looked for and are not there
 * @param started the latest time for which a job is known to have been started; empty if none is
 * @param rescheduled when the schedule was changed, if that was heard: the new one does not speak
 *     of the times before
 * @param said what was told of it last
 */
public record CronJobSnapshot(
    CronJobView cronJob,
    List<CronJobChild> children,
    Set<String> gone,
    Optional<Instant> started,
    Optional<Instant> rescheduled,
    List<Note> said) {
  public CronJobSnapshot {
    children = List.copyOf(children);
    gone = Set.copyOf(gone);
    said = List.copyOf(said);
  }
}
