package dev.berth.policy.persistentvolume;

/** What is to be done about a volume. */
public sealed interface VolumeAction {

  /** Its status is to say this, if it does not yet. */
  record SetPhase(String phase) implements VolumeAction {}

  /** Its claim does not know of it yet, and is to be looked at. */
  record LookAtClaim() implements VolumeAction {}

  /** Its claim cannot have it, which people are told on both sides. */
  record Mismatch(Notice ofVolume, Notice ofClaim) implements VolumeAction {}

  /** Its claim has another volume; it is free again, or promised as it was in the beginning. */
  record Unbind() implements VolumeAction {}

  /** Its claim is gone, or has another volume: it is released, and then this. */
  record Release(Reclaim then) implements VolumeAction {}

  /** What becomes of a volume that is released. */
  sealed interface Reclaim {
    /** It stays: because its policy says so, or because whoever made it deletes it. */
    record Keep() implements Reclaim {}

    record Delete() implements Reclaim {}

    /** Nobody can do what its policy says. */
    record Fail(Notice notice) implements Reclaim {}
  }
}
