package dev.berth.scheduler.profile;

import dev.berth.policy.gate.FeatureGates;
import java.time.Duration;
import java.util.List;

/**
 * What a KubeSchedulerConfiguration says.
 *
 * @param kubeconfig where the API server is; empty if the file does not say
 * @param gates what is on; a flag's matter, and no file's
 * @param notes what the file asks for that has no effect here, for its author to read
 */
public record SchedulerConfiguration(
    List<ProfileSettings> profiles,
    Duration initialBackoff,
    Duration maxBackoff,
    LeaderElectionSettings leaderElection,
    String kubeconfig,
    FeatureGates gates,
    List<String> notes) {

  public SchedulerConfiguration {
    profiles = List.copyOf(profiles);
    notes = List.copyOf(notes);
  }

  /** The same with other gates. */
  public SchedulerConfiguration with(FeatureGates other) {
    return new SchedulerConfiguration(
        profiles, initialBackoff, maxBackoff, leaderElection, kubeconfig, other, notes);
  }
}
