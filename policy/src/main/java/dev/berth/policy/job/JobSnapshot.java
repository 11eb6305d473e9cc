package dev.berth.policy.job;

import dev.berth.model.batch.JobView;
import java.util.List;
import java.util.Optional;

/**
 * A job and its pods at an instant.
 *
 * @param pods those that it owns and selects
 * @param backoff what was known of earlier failures; empty if it is looked at for the first time
 */
public record JobSnapshot(JobView job, List<JobPod> pods, Optional<FailureBackoff> backoff) {
  public JobSnapshot {
    pods = List.copyOf(pods);
  }

  boolean isBeingDeleted() {
    return job.metadata().isBeingDeleted();
  }
}
