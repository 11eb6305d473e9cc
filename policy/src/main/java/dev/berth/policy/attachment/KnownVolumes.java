package dev.berth.policy.attachment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims, volumes and drivers as far as somebody has heard of them, and what a claim means for a
 * pod that uses it.
 *
 * <ol>
 *   <li>A claim counts once it is bound, its volume is there, and the volume says that it is bound
 *       to this very claim.
 *   <li>A volume of a CSI driver is attached, unless its CSIDriver says that this is not required.
 *   <li>All others are there on the node itself (a directory, say) and need no attachment.
 * </ol>
 *
 * Holds little of each object, as there may be many.
 */
public final class KnownVolumes {
  private static final List<String> SHARED = List.of("ReadWriteMany", "ReadOnlyMany");

  private final Map<ObjectName, Claim> claims = new HashMap<>();
  private final Map<String, Volume> volumes = new HashMap<>();
  private final Set<String> driversThatDoNotAttach = new HashSet<>();

  private record Claim(String uid, String owner, String phase, String volume) {}

  /**
   * @param attachable null if it is not a driver's
   */
  private record Volume(@Nullable AttachableVolume attachable, ObjectName claim, String claimUid) {}

  /** What a claim means for a pod. */
  public sealed interface Meaning {
    /** The pod cannot start yet. */
    record Waits(String why) implements Meaning {}

    /** The pod's node needs this volume. */
    record Attached(AttachableVolume volume) implements Meaning {}

    /** Nothing has to be attached. */
    record Local() implements Meaning {}
  }

  /** Takes note of a claim; null if it was not or is no more. */
  public void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      Metadata metadata = Metadata.of(after);
      claims.put(
          ObjectName.of(after),
          new Claim(
              metadata.uid(),
              metadata.controller().map(OwnerReference::uid).orElse(""),
              after.object("status").text("phase", ""),
              after.object("spec").text("volumeName", "")));
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
      volumes.put(Metadata.of(after).name(), read(after));
    } else if (before != null) {
      volumes.remove(Metadata.of(before).name());
    }
  }

  private static Volume read(JsonObject tree) {
    JsonObject spec = tree.object("spec");
    JsonObject csi = spec.object("csi");
    JsonObject claim = spec.object("claimRef");
    List<String> modes = spec.array("accessModes").texts();
    boolean exclusive = !modes.isEmpty() && modes.stream().noneMatch(SHARED::contains);
    return new Volume(
        csi.isEmpty()
            ? null
            : new AttachableVolume(
                Metadata.of(tree).name(),
                csi.text("driver", ""),
                csi.text("volumeHandle", ""),
                exclusive),
        claimOf(tree),
        claim.text("uid", ""));
  }

  /** The claim that a volume says it is bound to; its name is empty if there is none. */
  public static ObjectName claimOf(JsonObject volume) {
    JsonObject claim = volume.object("spec").object("claimRef");
    return new ObjectName(claim.text("namespace", ""), claim.text("name", ""));
  }

  /** Takes note of a driver. */
  public void driverChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && !after.object("spec").flag("attachRequired", true)) {
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

  /** What a claim means for a pod that uses it. */
  public Meaning meaning(ClaimVolume use) {
    ObjectName name = use.claim();
    Claim claim = claims.get(name);
    if (claim == null) {
      return new Meaning.Waits("persistentvolumeclaim \"" + name.name() + "\" not found");
    }
    if (!use.owner().isEmpty() && !use.owner().equals(claim.owner)) {
      return new Meaning.Waits(
          "persistentvolumeclaim \"" + name.name() + "\" was not created for the pod");
    }
    if (!claim.phase.equals("Bound") || claim.volume.isEmpty()) {
      return new Meaning.Waits("persistentvolumeclaim \"" + name.name() + "\" is not bound");
    }
    Volume volume = volumes.get(claim.volume);
    if (volume == null) {
      return new Meaning.Waits("persistentvolume \"" + claim.volume + "\" not found");
    }
    boolean ofThisClaim =
        volume.claim.equals(name)
            && (volume.claimUid.isEmpty() || volume.claimUid.equals(claim.uid));
    if (!ofThisClaim) {
      return new Meaning.Waits(
          "persistentvolume \"%s\" is not bound to persistentvolumeclaim \"%s\""
              .formatted(claim.volume, name.name()));
    }
    AttachableVolume attachable = volume.attachable;
    return attachable == null || driversThatDoNotAttach.contains(attachable.driver())
        ? new Meaning.Local()
        : new Meaning.Attached(attachable);
  }
}
