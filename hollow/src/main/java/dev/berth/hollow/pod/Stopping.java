package dev.berth.hollow.pod;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;

/**
 * How the containers of a pod stop once it is deleted.
 *
 * <ol>
 *   <li>They first do what their {@code preStop} hooks say, then they are told to stop. Of hooks,
 *       {@code sleep} takes its time; the others take none here.
 *   <li>Both must be done within the grace period; what is not is killed.
 *   <li>After a hook there are at least two seconds left to stop, as a kubelet has it.
 * </ol>
 *
 * @param takes until all have stopped
 * @param killed whether they had to be
 */
public record Stopping(Duration takes, boolean killed) {
  private static final Duration AFTER_HOOK = Duration.ofSeconds(2);

  /**
   * How the containers of a pod stop.
   *
   * @param latency how long they take once they are told to
   */
  public static Stopping of(JsonObject podSpec, Duration latency, Duration grace) {
    Duration hook = shorter(preStop(podSpec), grace);
    Duration least = hook.plus(AFTER_HOOK);
    Duration room = hook.isPositive() && least.compareTo(grace) > 0 ? least : grace;
    Duration needed = hook.plus(latency);
    return new Stopping(shorter(needed, room), needed.compareTo(room) > 0);
  }

  /** All hooks run at once, so that the longest counts. */
  private static Duration preStop(JsonObject podSpec) {
    return podSpec.array("containers").objects().stream()
        .map(container -> container.object("lifecycle").object("preStop").object("sleep"))
        .map(sleep -> Duration.ofSeconds(sleep.integer("seconds").orElse(0)))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
