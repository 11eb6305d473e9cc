package dev.berth.policy.job;

import dev.berth.model.batch.JobView;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a job stays once it has finished, as it says itself.
 *
 * @param job as it was read
 * @param ttl its {@code ttlSecondsAfterFinished}; it stays if it does not say
 * @param finishedAt the transition of its condition; empty if it has not finished
 */
public record TimeToLive(
    JsonObject job, boolean isBeingDeleted, Optional<Duration> ttl, Optional<Instant> finishedAt) {

  public static TimeToLive read(JsonObject tree) {
    JobView job = new JobView(tree);
    return new TimeToLive(
        tree, job.metadata().isBeingDeleted(), job.ttlAfterFinished(), job.finishedAt());
  }

  /** When it is to be deleted; empty if nobody wants that, as things are, or somebody did it. */
  public Optional<Instant> endsAt() {
    return isBeingDeleted ? Optional.empty() : finishedAt.flatMap(at -> ttl.map(at::plus));
  }

  public boolean isOver(Instant now) {
    return endsAt().filter(end -> !end.isAfter(now)).isPresent();
  }
}
