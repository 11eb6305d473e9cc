package dev.berth.policy.podrun;

import dev.berth.model.core.PodRules;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How long containers get to end.
 *
 * <ol>
 *   <li>A pod that is being deleted: what its deletion says, but a second at least.
 *   <li>A pod that is evicted: what its node says.
 *   <li>A container whose probe failed: what the probe says.
 *   <li>Otherwise what its specification says.
 * </ol>
 *
 * <p>After its preStop hook, and after waiting for its turn, a container still gets two seconds.
 */
public final class GracePeriod {
  /** What a container gets at least, whatever happened before. */
  public static final Duration LEAST = Duration.ofSeconds(2);

  private static final long DEFAULT_SECONDS = 30;

  private GracePeriod() {}

  /** What the containers of a pod get that is to end. */
  public static Duration of(PodRules pod) {
    long seconds = pod.deletionGraceSeconds().orElse(pod.graceSeconds().orElse(DEFAULT_SECONDS));
    return Duration.ofSeconds(Math.max(1, seconds));
  }

  /** What a container gets whose pod goes on. */
  public static Duration of(PodRules pod, PodPlan.Kill kill) {
    OptionalLong probes = kill.graceSeconds();
    return pod.deletionGraceSeconds().isEmpty() && probes.isPresent()
        ? Duration.ofSeconds(probes.getAsLong())
        : of(pod);
  }

  /** What is left of a grace period after some of it went by. */
  public static Duration left(Duration grace, Duration gone) {
    Duration left = grace.minus(gone);
    return left.compareTo(LEAST) < 0 ? LEAST : left;
  }
}
