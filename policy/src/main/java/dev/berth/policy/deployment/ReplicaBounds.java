package dev.berth.policy.deployment;

import dev.berth.model.apps.DeploymentSpec;
import dev.berth.model.core.IntOrPercent;

/**
 * How many pods a deployment is to have, and how far it may be from that while it is updated.
 *
 * @param recreate whether all old pods go before the first new one comes
 * @param most how many pods all sets together may have
 * @param fewest how many pods must be available
 */
record ReplicaBounds(long replicas, boolean recreate, long most, long fewest) {

  static ReplicaBounds of(DeploymentSpec spec) {
    long replicas = spec.replicas();
    if (spec.recreate()) {
      return new ReplicaBounds(replicas, true, replicas, replicas);
    }
    long surge = count(spec.maxSurge(), replicas, true);
    long unavailable = count(spec.maxUnavailable(), replicas, false);
    if (surge == 0 && unavailable == 0) {
      // With neither, nothing could ever move: percentages that round to nothing allow one.
      unavailable = 1;
    }
    return new ReplicaBounds(
        replicas, false, replicas + surge, replicas - Math.min(unavailable, replicas));
  }

  private static long count(IntOrPercent given, long replicas, boolean up) {
    return switch (given) {
      case IntOrPercent.Count(long count) -> count;
      case IntOrPercent.Percent(long percent) ->
          up ? Math.ceilDiv(percent * replicas, 100L) : percent * replicas / 100;
      case IntOrPercent.Malformed _ -> 0;
    };
  }
}
