package dev.berth.policy.job;

/**
 * A pod that is to be made.
 *
 * @param index its completion index; {@link JobPod#NO_INDEX} if it has none
 * @param failures how often its index failed, in a job that counts that
 * @param ignoredFailures how often it did in a way that does not count
 */
public record NewPod(long index, long failures, long ignoredFailures) {
  static final NewPod WITHOUT_INDEX = new NewPod(JobPod.NO_INDEX, 0, 0);
}
