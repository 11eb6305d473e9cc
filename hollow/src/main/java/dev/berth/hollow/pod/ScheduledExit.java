package dev.berth.hollow.pod;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * When and how the containers of a pod exit by themselves, as its annotations say.
 *
 * @param after how long they run
 */
public record ScheduledExit(Duration after, int exitCode) {
  private static final int TERMINATED = 143;

  /** Containers that would exit by themselves and are stopped before that have not succeeded. */
  public static int exitCodeIfStopped(JsonObject annotations) {
    return of(annotations).isPresent() ? TERMINATED : 0;
  }

  /** Empty for pods that run until they are stopped; also if the annotation says no duration. */
  public static Optional<ScheduledExit> of(JsonObject annotations) {
    String runFor = annotations.text(HollowAnnotations.RUN_FOR, "");
    Duration after = runFor.isEmpty() ? null : GoDuration.parse(runFor);
    return after == null
        ? Optional.empty()
        : Optional.of(
            new ScheduledExit(after, exitCode(annotations.text(HollowAnnotations.EXIT_CODE, ""))));
  }

  private static int exitCode(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
  }
}
