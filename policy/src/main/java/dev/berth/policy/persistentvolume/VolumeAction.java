package dev.berth.policy.persistentvolume;

/** What is to be done about a volume. */
public sealed interface VolumeAction {

  /** Its status is to have this phase. */
  record SetPhase(String phase) implements VolumeAction {}

  /** Its claim does not name it yet, and is to be reconciled. */
  record ReconcileClaim() implements VolumeAction {}

  /** It does not fit its claim: both get an event that says so. */
  record Mismatch(Notice ofVolume, Notice ofClaim) implements VolumeAction {}

  /**
   * Its claim has another volume; it is free again, or reserved as it was before a controller bound
   * it.
   */
  record Unbind() implements VolumeAction {}

  /** Its claim is gone, or has another volume: it is released, and then this. */
  record Release(Reclaim then) implements VolumeAction {}

  /** What becomes of a volume that is released. */
  sealed interface Reclaim {
    /** It stays: because its policy says so, or because whoever made it deletes it. */
    record Keep() implements Reclaim {}

    record Delete() implements Reclaim {}

    /** Its policy cannot be carried out. */
    record Fail(Notice notice) implements Reclaim {}
  }
}
