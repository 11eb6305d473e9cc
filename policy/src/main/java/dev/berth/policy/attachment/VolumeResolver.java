package dev.berth.policy.attachment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.CsiDriverView;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the volume behind a claim that a pod uses, among the claims, volumes and drivers that it
 * knows.
 *
 * <ol>
 *   <li>A claim counts once it is bound, its volume is there, and the volume says that it is bound
 *       to this very claim.
 *   <li>A volume of a CSI driver is attached, unless its CSIDriver says that this is not required.
 *   <li>All others are there on the node itself (a directory, say) and need no attachment.
 * </ol>
 *
 * <p>It keeps a few fields of each object and not the objects, as there may be many.
 */
public final class VolumeResolver {
  private static final List<String> SHARED = List.of("ReadWriteMany", "ReadOnlyMany");

  private final Map<ObjectName, Claim> claims = new HashMap<>();
  private final Map<String, Volume> volumes = new HashMap<>();
  private final Set<String> driversThatDoNotAttach = new HashSet<>();

  private record Claim(String uid, String owner, String phase, String volume) {}

  /**
   * @param attachable null if it is not a driver's
   */
  private record Volume(@Nullable AttachableVolume attachable, ObjectName claim, String claimUid) {}

  /** What is behind a claim. */
  public sealed interface Resolution {
    /** Nothing yet: the pod cannot start. */
    record Pending(String why) implements Resolution {}

    /** A volume that has to be attached to the pod's node. */
    record Attachable(AttachableVolume volume) implements Resolution {}

    /** A volume that needs no attachment. */
    record Local() implements Resolution {}
  }

  /** Takes note of a claim. {@code before} is null if it is new, {@code after} if it is gone. */
  public void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      PersistentVolumeClaimView claim = PersistentVolumeClaimView.read(after);
      claims.put(
          claim.name(), new Claim(claim.uid(), claim.owner(), claim.phase(), claim.volume()));
    } else if (before != null) {
      ObjectName name = ObjectName.of(before);
      Claim known = claims.get(name);
      if (known != null && known.uid.equals(Metadata.of(before).uid())) {
        claims.remove(name);
      }
    }
  }

  /** Takes note of a volume. */
  public void volumeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      volumes.put(Metadata.of(after).name(), keep(PersistentVolumeView.read(after)));
    } else if (before != null) {
      volumes.remove(Metadata.of(before).name());
    }
  }

  private static Volume keep(PersistentVolumeView volume) {
    List<String> modes = volume.accessModes();
    boolean exclusive = !modes.isEmpty() && modes.stream().noneMatch(SHARED::contains);
    var csi = volume.csi();
    return new Volume(
        csi == null
            ? null
            : new AttachableVolume(volume.name(), csi.driver(), csi.volumeHandle(), exclusive),
        claimOf(volume),
        volume.claimUid());
  }

  /** The claim that a volume says it is bound to; its name is empty if there is none. */
  public static ObjectName claimOf(JsonObject volume) {
    return claimOf(PersistentVolumeView.read(volume));
  }

  private static ObjectName claimOf(PersistentVolumeView volume) {
    ObjectName claim = volume.claim();
    return claim == null ? ObjectName.of("") : claim;
  }

  /** Takes note of a driver. */
  public void driverChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && !CsiDriverView.read(after).attachRequired()) {
      driversThatDoNotAttach.add(Metadata.of(after).name());
    } else if (after != null) {
      driversThatDoNotAttach.remove(Metadata.of(after).name());
    } else if (before != null) {
      driversThatDoNotAttach.remove(Metadata.of(before).name());
    }
  }

  /** The volume of that name, if it is a driver's; whether or not it is attached. */
  public @Nullable AttachableVolume volume(String persistentVolume) {
    Volume volume = volumes.get(persistentVolume);
    return volume == null ? null : volume.attachable;
  }

  /** Finds the volume behind a claim of a pod. */
  public Resolution resolve(PodClaim use) {
    ObjectName name = use.claim();
    Claim claim = claims.get(name);
    if (claim == null) {
      return new Resolution.Pending("persistentvolumeclaim \"" + name.name() + "\" not found");
    }
    if (!use.owner().isEmpty() && !use.owner().equals(claim.owner)) {
      return new Resolution.Pending(
          "persistentvolumeclaim \"" + name.name() + "\" was not created for the pod");
    }
    if (!claim.phase.equals(PersistentVolumeClaimView.BOUND) || claim.volume.isEmpty()) {
      return new Resolution.Pending("persistentvolumeclaim \"" + name.name() + "\" is not bound");
    }
    Volume volume = volumes.get(claim.volume);
    if (volume == null) {
      return new Resolution.Pending("persistentvolume \"" + claim.volume + "\" not found");
    }
    boolean ofThisClaim =
        volume.claim.equals(name)
            && (volume.claimUid.isEmpty() || volume.claimUid.equals(claim.uid));
    if (!ofThisClaim) {
      return new Resolution.Pending(
          "persistentvolume \"%s\" is not bound to persistentvolumeclaim \"%s\""
              .formatted(claim.volume, name.name()));
    }
    AttachableVolume attachable = volume.attachable;
    return attachable == null || driversThatDoNotAttach.contains(attachable.driver())
        ? new Resolution.Local()
        : new Resolution.Attachable(attachable);
  }
}
