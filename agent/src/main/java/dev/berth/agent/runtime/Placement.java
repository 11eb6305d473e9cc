package dev.berth.agent.runtime;

import java.util.Map;

/**
 * Which processors and which memory a container may use.
 *
 * @param cpus as {@link Limits} has them
 * @param mems likewise
 * @param isExclusive whether the processors are the container's alone, so that it need not be kept
 *     from using them all the time
 */
public record Placement(String cpus, String mems, boolean isExclusive) {
  public static final Placement ANYWHERE = new Placement("", "", false);

  /**
   * Those of a pod's containers.
   *
   * @param own of containers that were given something of their own, by name
   * @param others of all others
   */
  public record OfPod(Map<String, Placement> own, Placement others) {
    public static final OfPod ANYWHERE = new OfPod(Map.of(), Placement.ANYWHERE);

    public OfPod {
      own = Map.copyOf(own);
    }

    public Placement of(String container) {
      return own.getOrDefault(container, others);
    }

    public boolean hasExclusiveCpus() {
      return own.values().stream().anyMatch(Placement::isExclusive);
    }
  }
}
