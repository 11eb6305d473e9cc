package dev.berth.scheduler.profile;

import java.time.Duration;
import java.util.List;

/**
 * What a KubeSchedulerConfiguration says.
 *
 * @param kubeconfig where the API server is; empty if the file does not say
 * @param notes what the file asks for that has no effect here, for its author to read
 */
public record SchedulerConfiguration(
    List<ProfileSettings> profiles,
    Duration initialBackoff,
    Duration maxBackoff,
    LeaderElectionSettings leaderElection,
    String kubeconfig,
    List<String> notes) {

  public SchedulerConfiguration {
    profiles = List.copyOf(profiles);
    notes = List.copyOf(notes);
  }
}
