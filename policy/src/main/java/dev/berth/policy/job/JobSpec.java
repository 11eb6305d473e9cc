package dev.berth.policy.job;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a job is to do.
 *
 * @param completions how many pods are to succeed; empty if one that succeeds means that all is
 *     done
 * @param perIndex how many failures an index may have; empty if indexes are not judged by
 *     themselves
 * @param activeFor how long it may be active
 * @param replacesOnlyFailed whether a pod on its way out has to be gone before another takes its
 *     place
 * @param restartsContainers whether nodes start containers again, instead of the job pods
 * @param success the rules by which some indexes are enough
 */
public record JobSpec(
    OptionalLong completions,
    long parallelism,
    boolean isIndexed,
    boolean isSuspended,
    long backoffLimit,
    OptionalLong perIndex,
    OptionalLong maxFailedIndexes,
    Optional<Duration> activeFor,
    boolean replacesOnlyFailed,
    boolean restartsContainers,
    FailurePolicy failures,
    List<JsonObject> success) {

  /** Who manages a job whose specification names nobody. */
  public static final String CONTROLLER = "kubernetes.io/job-controller";

  private static final long BACKOFF_LIMIT = 6;

  public JobSpec {
    success = List.copyOf(success);
  }

  public static JobSpec read(JsonObject job) {
    JsonObject spec = job.object("spec");
    OptionalLong perIndex = spec.integer("backoffLimitPerIndex");
    OptionalLong activeFor = spec.integer("activeDeadlineSeconds");
    FailurePolicy failures =
        new FailurePolicy(spec.object("podFailurePolicy").array("rules").objects());
    return new JobSpec(
        spec.integer("completions"),
        spec.integer("parallelism").orElse(1),
        spec.text("completionMode", "").equals("Indexed"),
        spec.flag("suspend", false),
        spec.integer("backoffLimit").orElse(perIndex.isPresent() ? Long.MAX_VALUE : BACKOFF_LIMIT),
        perIndex,
        spec.integer("maxFailedIndexes"),
        activeFor.isPresent()
            ? Optional.of(Duration.ofSeconds(activeFor.getAsLong()))
            : Optional.empty(),
        spec.text("podReplacementPolicy", "").equals("Failed") || spec.has("podFailurePolicy"),
        spec.object("template").object("spec").text("restartPolicy", "").equals("OnFailure"),
        failures,
        spec.object("successPolicy").array("rules").objects());
  }

  /** Whether somebody else manages a job. */
  public static boolean isManagedByAnother(JsonObject job) {
    return !job.object("spec").text("managedBy", CONTROLLER).equals(CONTROLLER);
  }

  /** Whether an index is one of the job's; any will do if it has none. */
  boolean isValid(long index) {
    return !isIndexed || (index >= 0 && index < completions.orElse(0));
  }
}
