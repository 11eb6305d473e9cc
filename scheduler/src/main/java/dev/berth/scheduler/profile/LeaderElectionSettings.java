package dev.berth.scheduler.profile;

import java.time.Duration;

/** Whether several schedulers agree on one of them, and by which lease. */
public record LeaderElectionSettings(
    boolean leaderElect,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod,
    String resourceNamespace,
    String resourceName) {
  public static final LeaderElectionSettings DEFAULT =
      new LeaderElectionSettings(
          true,
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          "kube-system",
          "kube-scheduler");
}
