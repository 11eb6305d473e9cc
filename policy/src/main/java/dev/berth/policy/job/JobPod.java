package dev.berth.policy.job;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod as its job sees it.
 *
 * @param isGoing whether its deletion was asked for, as far as is known
 * @param isTracked whether a finalizer keeps it until it is counted, as far as is known
 * @param index its completion index; {@link #NO_INDEX} if it has none
 */
public record JobPod(
    JsonObject tree, String uid, PodPhase phase, boolean isGoing, boolean isTracked, long index) {

  public static final long NO_INDEX = -1;

  /** What keeps a pod until it is counted. */
  public static final String FINALIZER = "batch.kubernetes.io/job-tracking";

  /** How often its index failed before it. */
  static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";

  /** How often its index failed before it in a way that does not count. */
  static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

  public static JobPod read(JsonObject pod, boolean isGoing, boolean isTracked) {
    Metadata metadata = Metadata.of(pod);
    return new JobPod(
        pod,
        metadata.uid(),
        PodPhase.of(pod.object("status").text("phase", "")),
        isGoing,
        isTracked,
        number(metadata, WellKnownAnnotations.JOB_COMPLETION_INDEX, NO_INDEX));
  }

  /** Whether a finalizer keeps a pod until it is counted. */
  public static boolean hasFinalizer(JsonObject pod) {
    return Metadata.of(pod).finalizers().contains(FINALIZER);
  }

  /** Whether a change of a pod concerns its job. */
  public static boolean isNews(JsonObject before, JsonObject after) {
    Metadata was = Metadata.of(before);
    Metadata is = Metadata.of(after);
    JsonObject status = before.object("status");
    JsonObject now = after.object("status");
    return !status.text("phase", "").equals(now.text("phase", ""))
        || was.isBeingDeleted() != is.isBeingDeleted()
        || !was.labels().equals(is.labels())
        || !was.finalizers().equals(is.finalizers())
        || isReady(status) != isReady(now)
        || restarts(status, "containerStatuses") != restarts(now, "containerStatuses");
  }

  private static long number(Metadata metadata, String annotation, long otherwise) {
    try {
      int number = Integer.parseInt(metadata.annotation(annotation).orElse(""));
      return number < 0 ? otherwise : number;
    } catch (NumberFormatException _) {
      return otherwise;
    }
  }

  boolean isActive() {
    return !phase.finished() && !isGoing;
  }

  /** Whether it is on its way out and may still run. */
  boolean isTerminating() {
    return !phase.finished() && isGoing;
  }

  boolean isReady() {
    return isReady(tree.object("status"));
  }

  private static boolean isReady(JsonObject status) {
    return Conditions.isTrue(status.array("conditions"), Condition.READY);
  }

  /**
   * Whether it counts as a failure: it has failed, or it is on its way out without having
   * succeeded, unless the job waits for what becomes of it.
   */
  boolean hasFailed(JobSpec spec) {
    return phase == PodPhase.FAILED || (isTerminating() && !spec.replacesOnlyFailed());
  }

  /** How often its index failed before it. */
  long failures() {
    return number(Metadata.of(tree), FAILURES, 0);
  }

  /** How often its index failed before it in a way that does not count. */
  long ignoredFailures() {
    return number(Metadata.of(tree), IGNORED_FAILURES, 0);
  }

  /** How often the containers of a pod that has not ended were started again. */
  long restarts() {
    if (phase != PodPhase.RUNNING && phase != PodPhase.PENDING) {
      return 0;
    }
    JsonObject status = tree.object("status");
    return restarts(status, "initContainerStatuses") + restarts(status, "containerStatuses");
  }

  private static long restarts(JsonObject status, String list) {
    long restarts = 0;
    for (JsonObject container : status.array(list).objects()) {
      restarts += container.integer("restartCount").orElse(0);
    }
    return restarts;
  }

  /**
   * When it ended: with its last container; or when it ceased to be ready; or when its deletion was
   * asked for. What says nothing of all this ended when it was created.
   */
  Instant endedAt() {
    return containersEnded()
        .or(this::ceasedToBeReady)
        .or(this::deletionAsked)
        .or(() -> Metadata.of(tree).creationTimestamp())
        .orElse(Instant.EPOCH);
  }

  private Optional<Instant> containersEnded() {
    Optional<Instant> last = Optional.empty();
    for (JsonObject container : tree.object("status").array("containerStatuses").objects()) {
      String at = container.object("state").object("terminated").text("finishedAt");
      if (at == null) {
        return Optional.empty();
      }
      Instant ended = Times.parse(at);
      last = last.filter(ended::isBefore).or(() -> Optional.of(ended));
    }
    return last;
  }

  private Optional<Instant> ceasedToBeReady() {
    return Conditions.find(tree.object("status").array("conditions"), Condition.READY)
        .filter(ready -> ready.text("status", "").equals(Conditions.FALSE))
        .map(ready -> ready.text("lastTransitionTime"))
        .map(Times::parse);
  }

  private Optional<Instant> deletionAsked() {
    Metadata metadata = Metadata.of(tree);
    return metadata
        .deletionTimestamp()
        .map(at -> at.minusSeconds(metadata.deletionGracePeriodSeconds().orElse(0)));
  }
}
