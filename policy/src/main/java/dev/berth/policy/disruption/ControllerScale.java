package dev.berth.policy.disruption;

/** How many pods a controller is to have. */
public sealed interface ControllerScale {

  /**
   * It is known.
   *
   * @param uid of the controller that decides: of a ReplicaSet that a Deployment manages, the
   *     Deployment's, so that two ReplicaSets in the middle of a rollout do not count twice
   */
  record Known(String uid, long replicas) implements ControllerScale {}

  /** It is not known. */
  record Unknown(String why) implements ControllerScale {}
}
