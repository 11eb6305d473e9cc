package dev.berth.model.batch;

import dev.berth.model.core.PodTemplate;
import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a Job is to do.
 *
 * @param completions how many pods are to succeed; empty if one that succeeds means that all is
 *     done
 * @param perIndex how many failures an index may have; empty if indexes are not judged by
 *     themselves
 * @param activeFor how long it may be active
 * @param replacesOnlyFailed whether a pod on its way out has to be gone before another takes its
 *     place
 * @param restartsContainers whether nodes start containers again, instead of the job pods
 * @param failureRules what failures of pods mean; the first that matches counts
 * @param successRules by which some indexes are enough
 * @param template what its pods are made from, as the tree has it
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
    List<PodFailurePolicyRule> failureRules,
    List<SuccessPolicyRule> successRules,
    JsonObject template) {

  private static final long BACKOFF_LIMIT = 6;
  private static final String FAILURE_POLICY = "podFailurePolicy";

  static JobSpec read(JsonObject spec) {
    OptionalLong perIndex = spec.integer("backoffLimitPerIndex");
    PodTemplate template = new PodTemplate(spec.object("template"));
    return new JobSpec(
        spec.integer("completions"),
        spec.integer("parallelism").orElse(1),
        spec.text("completionMode", "").equals("Indexed"),
        spec.flag("suspend", false),
        spec.integer("backoffLimit").orElse(perIndex.isPresent() ? Long.MAX_VALUE : BACKOFF_LIMIT),
        perIndex,
        spec.integer("maxFailedIndexes"),
        seconds(spec, "activeDeadlineSeconds"),
        spec.text("podReplacementPolicy", "").equals("Failed") || spec.has(FAILURE_POLICY),
        template.restartPolicy().equals("OnFailure"),
        Views.list(spec.object(FAILURE_POLICY).array("rules"), PodFailurePolicyRule::read),
        Views.list(spec.object("successPolicy").array("rules"), SuccessPolicyRule::read),
        template.tree());
  }

  /** A duration in seconds; empty if there is none. */
  static Optional<Duration> seconds(JsonObject spec, String field) {
    OptionalLong seconds = spec.integer(field);
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
        : Optional.empty();
  }

  /** Whether an index is one of the job's; any will do if it has none. */
  public boolean isValid(long index) {
    return !isIndexed || (index >= 0 && index < completions.orElse(0));
  }
}
