package dev.berth.policy.persistentvolume;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Which volume a claim gets that names none.
 *
 * <ol>
 *   <li>A volume that is promised to it, by whoever made the volume or by the scheduler, if it is
 *       large enough and has the claim's access modes, mode and attributes class. Unlike upstream
 *       this comes first even if a free volume has fewer access modes.
 *   <li>Otherwise, unless the claim waits for a pod, a free volume of its class that also matches
 *       its selector: the one with the fewest access modes, of these the smallest.
 * </ol>
 */
public final class VolumeMatch {
  /** The order in which free volumes are to be tried. */
  public static final Comparator<Volume> ORDER =
      Comparator.<Volume>comparingInt(volume -> volume.accessModes().size())
          .thenComparing(Volume::capacity)
          .thenComparing(Volume::name);

  private VolumeMatch() {}

  /** A volume that is promised to the claim, and fits. */
  static Optional<Volume> promised(VolumeClaim claim, Collection<Volume> promised) {
    return promised.stream()
        .filter(volume -> volume.isFor(claim) && fits(claim, volume))
        .min(Comparator.comparing(Volume::claimUid).reversed().thenComparing(ORDER));
  }

  /**
   * A free volume.
   *
   * @param free volumes of the claim's class in {@link #ORDER}
   */
  static Optional<Volume> free(VolumeClaim claim, Collection<Volume> free) {
    return free.stream()
        .filter(volume ->
            volume.isFree()
                && fits(claim, volume)
                && claim.selector().matches(volume.tree().object("metadata").object("labels")))
        .findFirst();
  }

  /**
   * A volume that is marked for deletion is nobody's any more, unless it is this very claim's
   * already: then {@link Protection} keeps it, and the claim would wait for another in vain.
   */
  private static boolean fits(VolumeClaim claim, Volume volume) {
    boolean isLeft = !volume.terminating() || volume.claimUid().equals(claim.uid());
    return isLeft
        && volume.capacity().compareTo(claim.request()) >= 0
        && volume.mode().equals(claim.mode())
        && volume.attributesClass().equals(claim.attributesClass())
        && volume.accessModes().containsAll(claim.accessModes());
  }

  /** Why a claim cannot have the free volume that it names; empty if it can. */
  static String problem(VolumeClaim claim, Volume volume) {
    if (volume.terminating()) {
      return "the volume is marked for deletion \"" + volume.name() + "\"";
    }
    if (volume.capacity().compareTo(claim.request()) < 0) {
      return "requested PV is too small";
    }
    if (!volume.storageClass().equals(claim.storageClass())) {
      return "storageClassName does not match";
    }
    if (!volume.mode().equals(claim.mode())) {
      return "incompatible volumeMode";
    }
    return volume.accessModes().containsAll(claim.accessModes()) ? "" : "incompatible accessMode";
  }
}
