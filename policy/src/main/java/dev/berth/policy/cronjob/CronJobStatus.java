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
 * @param active its jobs that run
 * @param lastSchedule the latest time for which a job was started
 * @param lastSuccess when a job succeeded last
 */
record CronJobStatus(
    List<JobReference> active, Optional<Instant> lastSchedule, Optional<Instant> lastSuccess) {
  private static final String ACTIVE = "active";
  private static final String LAST_SCHEDULE = "lastScheduleTime";
  private static final String LAST_SUCCESS = "lastSuccessfulTime";

  CronJobStatus {
    active = List.copyOf(active);
  }

  static CronJobStatus read(JsonObject status) {
    return new CronJobStatus(
        status.array(ACTIVE).objects().stream().map(JobReference::new).toList(),
        Optional.ofNullable(status.text(LAST_SCHEDULE)).map(Times::parse),
        Optional.ofNullable(status.text(LAST_SUCCESS)).map(Times::parse));
  }

  JsonObject tree() {
    List<JsonObject> references = active.stream().map(JobReference::tree).toList();
    return new JsonObject.Builder()
        .putIfPresent(ACTIVE, references.isEmpty() ? null : JsonArray.copyOf(references))
        .putIfPresent(LAST_SCHEDULE, lastSchedule.map(Times::format).orElse(null))
        .putIfPresent(LAST_SUCCESS, lastSuccess.map(Times::format).orElse(null))
        .build();
  }
}
