package dev.berth.hollow.pod;

/** Gives pods their volumes before they start, and takes them back after they have ended. */
public interface PodVolumes {
  /**
   * Begins to give a pod its volumes.
   *
   * @return whether it has all of them
   */
  boolean mount(HollowPod pod);

  /** Notes the volumes of a pod that ran before this process was started. */
  void takeOver(HollowPod pod);

  /** Nothing of a pod runs any more. */
  void unmount(HollowPod pod);
}
