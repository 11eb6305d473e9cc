package dev.berth.policy.replicaset;

/**
 * What a change of a pod means for its set. Whether it counts is worth a look at once; news of its
 * readiness changes the status alone, which a set of many pods can have written ten times a second
 * but not for each of them.
 */
public enum ReplicaChange {
  NOTHING,
  STATUS,
  COUNT;

  public static ReplicaChange of(Replica was, Replica is) {
    if (was.isFinished() != is.isFinished()
        || was.metadata().isBeingDeleted() != is.metadata().isBeingDeleted()
        || !was.metadata().labels().equals(is.metadata().labels())) {
      return COUNT;
    }
    return was.isReady() == is.isReady() && was.readySince().equals(is.readySince())
        ? NOTHING
        : STATUS;
  }
}
