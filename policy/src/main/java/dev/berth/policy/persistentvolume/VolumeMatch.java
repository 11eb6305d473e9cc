package dev.berth.policy.persistentvolume;

import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Which volume a claim gets that names none.
 *
 * <ol>
 *   <li>A volume that is reserved for it, by whoever made the volume or by the scheduler, if it is
 *       large enough and has the claim's access modes, mode and attributes class. Unlike upstream
 *       this comes first even if a free volume has fewer access modes.
 *   <li>Otherwise, unless the claim waits for a pod, a free volume of its class that also matches
 *       its selector: the one with the fewest access modes, of these the smallest.
 * </ol>
 */
public final class VolumeMatch {
  /** The order in which free volumes are to be tried. */
  public static final Comparator<PersistentVolumeView> ORDER =
      Comparator.<PersistentVolumeView>comparingInt(volume -> volume.accessModes().size())
          .thenComparing(PersistentVolumeView::capacity)
          .thenComparing(PersistentVolumeView::name);

  private VolumeMatch() {}

  /** A volume that is reserved for the claim, and fits. */
  static Optional<PersistentVolumeView> prebound(
      PersistentVolumeClaimView claim, Collection<PersistentVolumeView> prebound) {
    return prebound.stream()
        .filter(volume -> volume.isFor(claim) && fits(claim, volume))
        .min(Comparator.comparing(PersistentVolumeView::claimUid).reversed().thenComparing(ORDER));
  }

  /**
   * A free volume.
   *
   * @param free volumes of the claim's class in {@link #ORDER}
   */
  static Optional<PersistentVolumeView> free(
      PersistentVolumeClaimView claim, Collection<PersistentVolumeView> free) {
    return free.stream()
        .filter(volume ->
            volume.isFree() && fits(claim, volume) && claim.selector().matches(volume.labels()))
        .findFirst();
  }

  /**
   * A volume that is marked for deletion is nobody's any more, unless it is this very claim's
   * already: then {@link Protection} keeps it, and the claim would wait for another in vain.
   */
  private static boolean fits(PersistentVolumeClaimView claim, PersistentVolumeView volume) {
    boolean isLeft = !volume.terminating() || volume.claimUid().equals(claim.uid());
    return isLeft
        && volume.capacity().compareTo(claim.request()) >= 0
        && volume.mode().equals(claim.mode())
        && volume.attributesClass().equals(claim.attributesClass())
        && volume.accessModes().containsAll(claim.accessModes());
  }

  /** Why a claim cannot have the free volume that it names; empty if it can. */
  static String problem(PersistentVolumeClaimView claim, PersistentVolumeView volume) {
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
