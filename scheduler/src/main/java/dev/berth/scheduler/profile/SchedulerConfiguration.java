package dev.berth.scheduler.profile;

import dev.berth.policy.taint.TolerationRules;
import java.time.Duration;
import java.util.List;

/**
 * What a KubeSchedulerConfiguration says.
 *
 * @param kubeconfig where the API server is; empty if the file does not say
 * @param tolerations what tolerations may say; a feature gate's matter, and no file's
 * @param notes what the file asks for that has no effect here, for its author to read
 */
public record SchedulerConfiguration(
    List<ProfileSettings> profiles,
    Duration initialBackoff,
    Duration maxBackoff,
    LeaderElectionSettings leaderElection,
    String kubeconfig,
    TolerationRules tolerations,
    List<String> notes) {

  public SchedulerConfiguration {
    profiles = List.copyOf(profiles);
    notes = List.copyOf(notes);
  }

  /** The same where tolerations may say something else. */
  public SchedulerConfiguration with(TolerationRules rules) {
    return new SchedulerConfiguration(
        profiles, initialBackoff, maxBackoff, leaderElection, kubeconfig, rules, notes);
  }
}
