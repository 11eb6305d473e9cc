package dev.berth.model.batch;

import dev.berth.model.core.Views;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a CronJob stands.
 *
 * @param active its jobs that run
 * @param lastSchedule the latest time for which a job was started
 * @param lastSuccess when a job succeeded last
 */
public record CronJobStatus(
    List<JobReference> active, Optional<Instant> lastSchedule, Optional<Instant> lastSuccess) {
  private static final String ACTIVE = "active";
  private static final String LAST_SCHEDULE = "lastScheduleTime";
  private static final String LAST_SUCCESS = "lastSuccessfulTime";

  public CronJobStatus {
    active = List.copyOf(active);
  }

  static CronJobStatus read(JsonObject status) {
    return new CronJobStatus(
        Views.list(status.array(ACTIVE), JobReference::new),
        Optional.ofNullable(WireTime.read(status, LAST_SCHEDULE)),
        Optional.ofNullable(WireTime.read(status, LAST_SUCCESS)));
  }

  public JsonObject toTree() {
    List<JsonObject> references = active.stream().map(JobReference::tree).toList();
    return new JsonObject.Builder()
        .putIfPresent(ACTIVE, references.isEmpty() ? null : JsonArray.copyOf(references))
        .putIfPresent(LAST_SCHEDULE, lastSchedule.map(Times::format).orElse(null))
        .putIfPresent(LAST_SUCCESS, lastSuccess.map(Times::format).orElse(null))
        .build();
  }
}
