package dev.berth.policy.cronjob;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a cron job stands.
 *
 * @param active references to its jobs that run
 * @param lastSchedule the latest time for which a job was started
 * @param lastSuccess when a job succeeded last
 */
record CronJobStatus(
    List<JsonObject> active, Optional<Instant> lastSchedule, Optional<Instant> lastSuccess) {
  private static final String ACTIVE = "active";
  private static final String LAST_SCHEDULE = "lastScheduleTime";
  private static final String LAST_SUCCESS = "lastSuccessfulTime";

  CronJobStatus {
    active = List.copyOf(active);
  }

  static CronJobStatus of(JsonObject cronJob) {
    JsonObject status = cronJob.object("status");
    return new CronJobStatus(
        status.array(ACTIVE).objects(),
        Optional.ofNullable(status.text(LAST_SCHEDULE)).map(Times::parse),
        Optional.ofNullable(status.text(LAST_SUCCESS)).map(Times::parse));
  }

  JsonObject tree() {
    return new JsonObject.Builder()
        .putIfPresent(ACTIVE, active.isEmpty() ? null : JsonArray.copyOf(active))
        .putIfPresent(LAST_SCHEDULE, lastSchedule.map(Times::format).orElse(null))
        .putIfPresent(LAST_SUCCESS, lastSuccess.map(Times::format).orElse(null))
        .build();
  }
}
