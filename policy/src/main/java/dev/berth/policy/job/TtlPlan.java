package dev.berth.policy.job;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about a job that has finished: it is deleted when its time to live is over.
 *
 * @param withStatus as it is: nothing is written
 * @param next when its time will be over
 */
public record TtlPlan(List<TtlAction> actions, JsonObject withStatus, Optional<Instant> next)
    implements Decision<TtlAction> {

  public TtlPlan {
    actions = List.copyOf(actions);
  }

  public static TtlPlan decide(TimeToLive ttl, Instant now) {
    return ttl.isOver(now)
        ? new TtlPlan(List.of(new TtlAction.Delete(ttl.job())), ttl.job(), Optional.empty())
        : new TtlPlan(List.of(), ttl.job(), ttl.endsAt());
  }
}
