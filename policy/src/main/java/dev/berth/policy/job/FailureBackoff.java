package dev.berth.policy.job;

import dev.berth.model.batch.JobSpec;
import dev.berth.model.core.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * How long a job waits before it makes another pod in place of those that failed: 10 s after the
 * first failure, and then twice as long after each, up to ten minutes. A success begins anew.
 *
 * <p>Unlike upstream's, which is forgotten with a restart, it begins with the pods that there are.
 *
 * @param failures since the last success
 * @param last when the last of them was
 * @param known the pods that were taken into account and are still tracked, by UID
 */
public record FailureBackoff(long failures, Instant last, Set<String> known) {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final FailureBackoff NONE = new FailureBackoff(0, Instant.EPOCH, Set.of());

  public FailureBackoff {
    known = Set.copyOf(known);
  }

  /** As it is, given what it was before, if anybody knows, and the pods of the job. */
  static FailureBackoff of(Optional<FailureBackoff> before, JobSpec spec, Collection<JobPod> pods) {
    FailureBackoff was = before.orElse(NONE);
    Set<String> known = new HashSet<>();
    long failures = was.failures;
    Instant last = was.last;
    Instant success = Instant.MIN;
    for (JobPod pod : pods) {
      boolean succeeded = pod.phase() == PodPhase.SUCCEEDED;
      if (!spec.isValid(pod.index()) || !(succeeded || pod.hasFailed(spec))) {
        continue;
      }
      if (pod.isTracked()) {
        known.add(pod.uid());
      }
      boolean isNew = before.isEmpty() || (pod.isTracked() && !was.known.contains(pod.uid()));
      if (isNew && succeeded && pod.endedAt().isAfter(success)) {
        success = pod.endedAt();
        failures = 0;
        last = Instant.EPOCH;
      }
    }
    for (JobPod pod : pods) {
      boolean isNew = before.isEmpty() || (pod.isTracked() && !was.known.contains(pod.uid()));
      if (isNew && spec.isValid(pod.index()) && pod.hasFailed(spec)) {
        Instant at = pod.endedAt();
        if (at.isAfter(success)) {
          failures++;
          last = at.isAfter(last) ? at : last;
        }
      }
    }
    return new FailureBackoff(failures, last, known);
  }

  /** From when on a pod may be made. */
  Instant until() {
    return failures == 0 ? Instant.MIN : last.plus(delay(failures));
  }

  /** From when on a pod may be made in place of one that failed, if its index stands by itself. */
  static Instant until(JobPod failed) {
    return failed.endedAt().plus(delay(failed.failures() + failed.ignoredFailures() + 1));
  }

  static Duration delay(long failures) {
    Duration delay = FIRST;
    for (long i = 1; i < failures && delay.compareTo(LONGEST) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
  }
}
