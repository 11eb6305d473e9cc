package dev.berth.model.apps;

import dev.berth.model.core.IntOrPercent;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * What a Deployment is to be.
 *
 * @param recreate whether all old pods go before the first new one comes
 * @param maxSurge how many pods there may be beyond the replicas, during a rolling update
 * @param maxUnavailable how many of the replicas may be missing meanwhile
 * @param historyLimit how many sets without pods are kept; none are deleted if empty
 * @param progressDeadline after how long without progress it counts as failed; never if empty
 * @param selector what its pods have, as the tree has it
 * @param template what its pods are made from, as the tree has it
 */
public record DeploymentSpec(
    long replicas,
    boolean paused,
    boolean recreate,
    IntOrPercent maxSurge,
    IntOrPercent maxUnavailable,
    long minReadySeconds,
    Optional<Long> historyLimit,
    Optional<Duration> progressDeadline,
    JsonObject selector,
    JsonObject template) {
  private static final IntOrPercent QUARTER = new IntOrPercent.Percent(25);

  public static DeploymentSpec read(JsonObject spec) {
    JsonObject strategy = spec.object("strategy");
    JsonObject rolling = strategy.object("rollingUpdate");
    return new DeploymentSpec(
        spec.integer("replicas").orElse(1),
        spec.flag("paused", false),
        strategy.text("type", "").equals("Recreate"),
        IntOrPercent.read(rolling, "maxSurge").orElse(QUARTER),
        IntOrPercent.read(rolling, "maxUnavailable").orElse(QUARTER),
        spec.integer("minReadySeconds").orElse(0),
        limit(spec, "revisionHistoryLimit"),
        limit(spec, "progressDeadlineSeconds").map(Duration::ofSeconds),
        spec.object("selector"),
        spec.object("template"));
  }

  /** The largest number there is means none. */
  private static Optional<Long> limit(JsonObject spec, String field) {
    return spec.integer(field).stream().boxed().filter(n -> n != Integer.MAX_VALUE).findFirst();
  }
}
