package dev.berth.hollow.pod;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * How the containers of a pod end by themselves, as its annotations say.
 *
 * @param after how long they run
 */
public record OwnEnd(Duration after, int exitCode) {
  private static final int TERMINATED = 143;

  /** What has an end of its own and is stopped before that has not done its work. */
  public static int exitCodeIfStopped(JsonObject annotations) {
    return of(annotations).isPresent() ? TERMINATED : 0;
  }

  /** Empty for pods that run until they are stopped; also if the annotation says no duration. */
  public static Optional<OwnEnd> of(JsonObject annotations) {
    String runFor = annotations.text(HollowAnnotations.RUN_FOR, "");
    Duration after = runFor.isEmpty() ? null : GoDuration.parse(runFor);
    return after == null
        ? Optional.empty()
        : Optional.of(
            new OwnEnd(after, exitCode(annotations.text(HollowAnnotations.EXIT_CODE, ""))));
  }

  private static int exitCode(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
  }
}
