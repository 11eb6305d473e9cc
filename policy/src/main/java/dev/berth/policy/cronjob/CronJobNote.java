package dev.berth.policy.cronjob;

/**
 * Something to tell about a cron job.
 *
 * @param reason in one word
 */
public record CronJobNote(boolean isWarning, String reason, String message) {
  static CronJobNote normal(String reason, String message) {
    return new CronJobNote(false, reason, message);
  }

  static CronJobNote warning(String reason, String message) {
    return new CronJobNote(true, reason, message);
  }
}
