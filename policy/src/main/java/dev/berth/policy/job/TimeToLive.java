package dev.berth.policy.job;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a job goes that has finished: {@code ttlSecondsAfterFinished} after it did, counted from the
 * transition of its condition. One that says nothing of that stays, and one that is being deleted
 * goes anyway.
 */
public final class TimeToLive {
  private TimeToLive() {}

  /** When it is to be deleted; empty if nobody wants that, as things are. */
  public static Optional<Instant> endsAt(JsonObject job) {
    OptionalLong seconds = job.object("spec").integer("ttlSecondsAfterFinished");
    if (seconds.isEmpty() || Metadata.of(job).isBeingDeleted()) {
      return Optional.empty();
    }
    return JobConditions.finishedAt(job).map(at -> at.plusSeconds(seconds.getAsLong()));
  }
}
