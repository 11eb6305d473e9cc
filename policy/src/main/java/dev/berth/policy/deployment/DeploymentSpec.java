package dev.berth.policy.deployment;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * What a deployment is to be.
 *
 * @param recreate whether all old pods go before the first new one comes
 * @param maxSurge how many pods there may be beyond the replicas, during a rolling update
 * @param maxUnavailable how many of the replicas may be missing meanwhile
 * @param historyLimit how many sets without pods are kept; none are deleted if empty
 * @param progressDeadline after how long without progress it counts as failed; never if empty
 */
record DeploymentSpec(
    long replicas,
    boolean paused,
    boolean recreate,
    long maxSurge,
    long maxUnavailable,
    long minReadySeconds,
    Optional<Long> historyLimit,
    Optional<Duration> progressDeadline,
    JsonObject template) {

  static DeploymentSpec read(JsonObject deployment) {
    JsonObject spec = deployment.object("spec");
    long replicas = spec.integer("replicas").orElse(1);
    JsonObject strategy = spec.object("strategy");
    boolean recreate = strategy.text("type", "").equals("Recreate");
    JsonObject rolling = strategy.object("rollingUpdate");
    long surge = recreate ? 0 : count(rolling, "maxSurge", replicas, true);
    long unavailable = recreate ? 0 : count(rolling, "maxUnavailable", replicas, false);
    if (!recreate && surge == 0 && unavailable == 0) {
      // With neither, nothing could ever move: percentages that round to nothing allow one.
      unavailable = 1;
    }
    return new DeploymentSpec(
        replicas,
        spec.flag("paused", false),
        recreate,
        surge,
        Math.min(unavailable, replicas),
        spec.integer("minReadySeconds").orElse(0),
        limit(spec, "revisionHistoryLimit"),
        limit(spec, "progressDeadlineSeconds").map(Duration::ofSeconds),
        spec.object("template"));
  }

  /** The largest number there is means none. */
  private static Optional<Long> limit(JsonObject spec, String field) {
    return spec.integer(field).stream().boxed().filter(n -> n != Integer.MAX_VALUE).findFirst();
  }

  private static long count(JsonObject rolling, String field, long replicas, boolean up) {
    return switch (IntOrPercent.read(rolling, field).orElse(new IntOrPercent.Percent(25))) {
      case IntOrPercent.Count(long count) -> count;
      case IntOrPercent.Percent(long percent) ->
          up ? Math.ceilDiv(percent * replicas, 100L) : percent * replicas / 100;
      case IntOrPercent.Malformed _ -> 0;
    };
  }

  /** How many pods all sets together may have. */
  long most() {
    return replicas + maxSurge;
  }

  /** How many pods must be available. */
  long fewest() {
    return replicas - maxUnavailable;
  }
}
