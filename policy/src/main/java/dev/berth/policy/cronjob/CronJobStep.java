package dev.berth.policy.cronjob;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is to be done about a cron job next. When it is done, it is decided anew. */
public sealed interface CronJobStep {

  /** Look whether jobs are still there that run, as its status says, and nobody has heard of. */
  record Check(List<JsonObject> references) implements CronJobStep {}

  /** Write its status, and tell what happened. */
  record Write(JsonObject status, List<CronJobNote> notes) implements CronJobStep {}

  /** Delete finished jobs, of which it keeps so many. */
  record Clean(List<JsonObject> jobs) implements CronJobStep {}

  /**
   * Delete some jobs, and then start one.
   *
   * @param time for which it is started
   * @param otherwise what to do until it is time for another, if this one cannot be started
   */
  record Start(Instant time, JsonObject job, List<JsonObject> replaced, Wait otherwise)
      implements CronJobStep {}

  /**
   * Nothing.
   *
   * @param until when to look again, at the latest; empty if only a change would help
   * @param notes what there is to say, if it was not said already
   */
  record Wait(Optional<Instant> until, List<CronJobNote> notes) implements CronJobStep {}
}
