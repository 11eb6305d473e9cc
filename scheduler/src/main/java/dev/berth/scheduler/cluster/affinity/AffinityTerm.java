package dev.berth.scheduler.cluster.affinity;

/**
 * What a pod has for or against other pods.
 *
 * @param pods the others
 * @param topologyKey the label of nodes by which "near" is meant
 * @param weight how much it counts; 0 for what is required
 */
public record AffinityTerm(Kind kind, PodTerm pods, String topologyKey, long weight) {

  /** Near others or not near them, required or preferred. */
  public enum Kind {
    REQUIRED_AFFINITY,
    REQUIRED_ANTI_AFFINITY,
    PREFERRED_AFFINITY,
    PREFERRED_ANTI_AFFINITY
  }
}
