package dev.berth.policy.persistentvolume;

import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.policy.persistentvolume.VolumeAction.Mismatch;
import dev.berth.policy.persistentvolume.VolumeAction.Reclaim;
import dev.berth.policy.persistentvolume.VolumeAction.ReconcileClaim;
import dev.berth.policy.persistentvolume.VolumeAction.Release;
import dev.berth.policy.persistentvolume.VolumeAction.SetPhase;
import dev.berth.policy.persistentvolume.VolumeAction.Unbind;
import java.util.Optional;

/**
 * Decides what is to be done about a volume.
 *
 * <ol>
 *   <li>One that is bound to nobody, or reserved for a claim that may yet be made, is available.
 *   <li>One whose claim is gone is released, and its policy carried out: Retain leaves it to
 *       people; Delete deletes it, if it was made here, and leaves it to whoever else made it;
 *       Recycle is not supported.
 *   <li>One whose claim names no volume yet waits for the claim.
 *   <li>One whose claim names it is bound.
 *   <li>One whose claim has another volume is released if it was made for the claim, and otherwise
 *       let go.
 * </ol>
 */
public final class VolumeDecision {
  private static final String DELETE = "Delete";

  private VolumeDecision() {}

  /**
   * Decides.
   *
   * @param claim the claim of the name that the volume is bound to, whatever its UID
   */
  public static VolumeAction decide(
      PersistentVolumeView volume, Optional<PersistentVolumeClaimView> claim) {
    if (volume.claim() == null || volume.claimUid().isEmpty()) {
      return new SetPhase(PersistentVolumeView.AVAILABLE);
    }
    Optional<PersistentVolumeClaimView> own = claim.filter(c -> c.uid().equals(volume.claimUid()));
    if (own.isEmpty()) {
      return new Release(reclaim(volume));
    }
    String chosen = own.get().volume();
    if (chosen.isEmpty()) {
      return volume.mode().equals(own.get().mode())
          ? new ReconcileClaim()
          : mismatch(volume, own.get());
    }
    if (chosen.equals(volume.name())) {
      return new SetPhase(PersistentVolumeView.BOUND);
    }
    return !volume.provisionedBy().isEmpty() && volume.reclaimPolicy().equals(DELETE)
        ? new Release(reclaim(volume))
        : new Unbind();
  }

  /**
   * Whether a volume that seemed to be without its claim is not, as a claim shows that was found
   * after all: it is the volume's own, and has no other volume.
   */
  public static boolean isStillClaimed(
      PersistentVolumeView volume, PersistentVolumeClaimView found) {
    boolean hasAnother = !found.volume().isEmpty() && !found.volume().equals(volume.name());
    return found.uid().equals(volume.claimUid()) && !hasAnother;
  }

  private static Mismatch mismatch(PersistentVolumeView volume, PersistentVolumeClaimView claim) {
    return new Mismatch(
        Notice.warning(
            "VolumeMismatch",
            ("Cannot bind PersistentVolume to requested PersistentVolumeClaim \"%s\" due to"
                    + " incompatible volumeMode.")
                .formatted(claim.name().name())),
        Notice.warning(
            "VolumeMismatch",
            ("Cannot bind PersistentVolume \"%s\" to requested PersistentVolumeClaim due to"
                    + " incompatible volumeMode.")
                .formatted(volume.name())));
  }

  private static Reclaim reclaim(PersistentVolumeView volume) {
    if (volume.isMigrated()) {
      return new Reclaim.Keep();
    }
    return switch (volume.reclaimPolicy()) {
      case "Retain" -> new Reclaim.Keep();
      case DELETE -> delete(volume);
      case "Recycle" ->
          new Reclaim.Fail(
              Notice.warning("VolumeFailedRecycle", "No recycler plugin found for the volume!"));
      default ->
          new Reclaim.Fail(
              Notice.warning(
                  "VolumeUnknownReclaimPolicy",
                  "Volume has unrecognized PersistentVolumeReclaimPolicy"));
    };
  }

  private static Reclaim delete(PersistentVolumeView volume) {
    String by = volume.provisionedBy();
    if (by.equals(LocalDirectory.PROVISIONER)) {
      return new Reclaim.Delete();
    }
    boolean external = by.isEmpty() ? volume.csi() != null : !by.startsWith("kubernetes.io/");
    return external
        ? new Reclaim.Keep()
        : new Reclaim.Fail(
            Notice.warning(
                "VolumeFailedDelete",
                ("error getting deleter volume plugin for volume \"%s\": no deletable volume plugin"
                        + " matched")
                    .formatted(volume.name())));
  }
}
