package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.ContainerStatus;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
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
    PodTree pod, String uid, PodPhase phase, boolean isGoing, boolean isTracked, long index) {

  public static final long NO_INDEX = -1;

  /** What keeps a pod until it is counted. */
  public static final String FINALIZER = "batch.kubernetes.io/job-tracking";

  /** How often its index failed before it. */
  static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";

  /** How often its index failed before it in a way that does not count. */
  static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

  public static JobPod read(JsonObject tree, boolean isGoing, boolean isTracked) {
    PodTree pod = new PodTree(tree);
    Metadata metadata = pod.metadata();
    return new JobPod(
        pod,
        metadata.uid(),
        pod.phase(),
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
    PodTree was = new PodTree(before);
    PodTree is = new PodTree(after);
    Metadata metadata = is.metadata();
    return was.phase() != is.phase()
        || was.terminating() != is.terminating()
        || !was.metadata().labels().equals(metadata.labels())
        || !was.metadata().finalizers().equals(metadata.finalizers())
        || was.ready() != is.ready()
        || was.restarts() != is.restarts();
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
    return pod.ready();
  }

  JsonObject tree() {
    return pod.tree();
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
    return number(pod.metadata(), FAILURES, 0);
  }

  /** How often its index failed before it in a way that does not count. */
  long ignoredFailures() {
    return number(pod.metadata(), IGNORED_FAILURES, 0);
  }

  /** How often the containers of a pod that has not ended were started again. */
  long restarts() {
    if (phase != PodPhase.RUNNING && phase != PodPhase.PENDING) {
      return 0;
    }
    return pod.initRestarts() + pod.restarts();
  }

  /**
   * When it ended: with its last container; or when it ceased to be ready; or when its deletion was
   * asked for. What says nothing of all this ended when it was created.
   */
  Instant endedAt() {
    return containersEnded()
        .or(this::ceasedToBeReady)
        .or(this::deletionAsked)
        .or(() -> pod.metadata().creationTimestamp())
        .orElse(Instant.EPOCH);
  }

  private Optional<Instant> containersEnded() {
    Optional<Instant> last = Optional.empty();
    for (ContainerStatus container : pod.containerStatuses()) {
      Instant ended = container.finishedAt();
      if (ended == null) {
        return Optional.empty();
      }
      last = last.filter(ended::isBefore).or(() -> Optional.of(ended));
    }
    return last;
  }

  private Optional<Instant> ceasedToBeReady() {
    return pod.condition(Condition.READY)
        .filter(ready -> ready.status() == ConditionStatus.FALSE)
        .map(Condition::lastTransitionTime);
  }

  private Optional<Instant> deletionAsked() {
    Metadata metadata = pod.metadata();
    return metadata
        .deletionTimestamp()
        .map(at -> at.minusSeconds(metadata.deletionGracePeriodSeconds().orElse(0)));
  }
}
