package dev.berth.controllers.persistentvolume;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Binding;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.policy.persistentvolume.Notice;
import dev.berth.policy.persistentvolume.StorageClass;
import dev.berth.policy.persistentvolume.Volume;
import dev.berth.policy.persistentvolume.VolumeAction.Reclaim;
import dev.berth.policy.persistentvolume.VolumeClaim;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requests about volumes and claims, beside the loop. All of them block.
 *
 * <p>Each replaces the revision that was decided on, so that nothing is done because of what is no
 * longer so; and each can be begun again wherever it was broken off.
 */
final class VolumeRequests {
  private final Api api;

  VolumeRequests(Api api) {
    this.api = api;
  }

  /** Binds volume and claim to each other: the volume first, so that it is nobody else's. */
  Written bind(Volume volume, VolumeClaim claim) {
    Written written = new Written();
    if (!isThere(volume, claim.name(), claim.uid(), written)) {
      return written;
    }
    JsonObject bound = updateVolume(volume.tree(), Binding.volume(volume, claim), written);
    if (bound == null) {
      return written;
    }
    bound = updateVolumeStatus(bound, Binding.volumeStatus(bound, Volume.BOUND, ""), written);
    if (bound == null) {
      return written;
    }
    JsonObject claimed = updateClaim(claim.tree(), Binding.claim(claim, volume.name()), written);
    if (claimed != null) {
      updateClaimStatus(claimed, Binding.claimStatus(claimed, bound), written);
    }
    return written;
  }

  Written settle(VolumeClaim claim, String phase) {
    Written written = new Written();
    updateClaimStatus(claim.tree(), Binding.claimStatus(claim.tree(), phase), written);
    return written;
  }

  /**
   * Says that a claim has lost its volume, unless the server knows better: another binder may have
   * bound them before this one heard of the volume, and the two are not to undo each other's work.
   *
   * @param notice what people are told if it is so
   */
  Written lose(VolumeClaim claim, Notice notice) {
    Written written = new Written();
    if (!claim.volume().isEmpty()) {
      ApiResult found = api.get(Resources.PERSISTENT_VOLUMES, ObjectName.of(claim.volume()));
      if (found instanceof ApiResult.Failure why && !found.isNotFound()) {
        return written.failed(why);
      }
      if (found instanceof ApiResult.Done(JsonObject volume)
          && Volume.read(volume).claimUid().equals(claim.uid())) {
        return written.failed(
            new ApiResult.Refused(ApiError.of(404, "volume " + claim.volume() + " is there")));
      }
    }
    return settle(claim, VolumeClaim.LOST).say(notice);
  }

  Written assignClass(VolumeClaim claim, String storageClass) {
    Written written = new Written();
    updateClaim(claim.tree(), Binding.ofClass(claim.tree(), storageClass), written);
    return written;
  }

  Written ask(VolumeClaim claim, StorageClass storageClass) {
    Written written = new Written();
    updateClaim(claim.tree(), Binding.asked(claim.tree(), storageClass.provisioner()), written);
    return written;
  }

  /** Makes a volume that is a directory. Its name is the claim's own, so there is never another. */
  Written provision(VolumeClaim claim, StorageClass storageClass) {
    Written written = new Written();
    String hostname = "";
    if (!LocalDirectory.isShared(storageClass)) {
      ApiResult node = api.get(Resources.NODES, ObjectName.of(claim.selectedNode()));
      if (node.isNotFound()) {
        updateClaim(claim.tree(), Binding.unselected(claim.tree()), written);
        return written.say(
            failed("Failed to get target node: node \"" + claim.selectedNode() + "\" not found"));
      }
      if (!(node instanceof ApiResult.Done(JsonObject found))) {
        return written.failed((ApiResult.Failure) node);
      }
      hostname = Metadata.of(found).label(WellKnownLabels.HOSTNAME).orElse("");
      if (hostname.isEmpty()) {
        Notice problem =
            failed(
                LocalDirectory.message(
                    storageClass,
                    "node \"%s\" has no label %s, by which a volume names its node"
                        .formatted(claim.selectedNode(), WellKnownLabels.HOSTNAME)));
        return written
            .say(problem)
            .failed(new ApiResult.Refused(ApiError.of(404, problem.message())));
      }
    }
    JsonObject asked =
        updateClaim(claim.tree(), Binding.asked(claim.tree(), storageClass.provisioner()), written);
    if (asked == null) {
      return written;
    }
    JsonObject volume = LocalDirectory.volume(VolumeClaim.read(asked), storageClass, hostname);
    ApiResult made = api.create(Resources.PERSISTENT_VOLUMES, volume);
    if (made.isAlreadyExists()) {
      return written;
    }
    if (made instanceof ApiResult.Failure why) {
      return written.failed(why);
    }
    return written.say(
        new Notice(
            false,
            "ProvisioningSucceeded",
            "Successfully provisioned volume %s using %s"
                .formatted(LocalDirectory.volumeName(claim), LocalDirectory.PROVISIONER)));
  }

  private static Notice failed(String message) {
    return Notice.warning("ProvisioningFailed", message);
  }

  Written setPhase(Volume volume, String phase) {
    Written written = new Written();
    ObjectName claim = volume.claim();
    if (phase.equals(Volume.BOUND)
        && claim != null
        && !isThere(volume, claim, volume.claimUid(), written)) {
      return written;
    }
    updateVolumeStatus(volume.tree(), Binding.volumeStatus(volume.tree(), phase, ""), written);
    return written;
  }

  /**
   * Asks whether the claim of a volume that was released is there after all: another binder may
   * have heard of its end before this one, and the two are not to undo each other's work.
   */
  private boolean isThere(Volume volume, ObjectName name, String uid, Written written) {
    if (!volume.phase().equals(Volume.RELEASED)) {
      return true;
    }
    ApiResult found = api.get(Resources.PERSISTENT_VOLUME_CLAIMS, name);
    if (found instanceof ApiResult.Failure why) {
      written.failed(why);
      return false;
    }
    boolean same =
        found instanceof ApiResult.Done(JsonObject claim) && Metadata.of(claim).uid().equals(uid);
    if (!same) {
      written.failed(new ApiResult.Refused(ApiError.of(404, "claim " + name + " is another")));
    }
    return same;
  }

  Written unbind(Volume volume) {
    Written written = new Written();
    JsonObject free = updateVolume(volume.tree(), Binding.unbound(volume), written);
    if (free != null) {
      updateVolumeStatus(free, Binding.volumeStatus(free, Volume.AVAILABLE, ""), written);
    }
    return written;
  }

  /**
   * Releases a volume, having asked the server whether its claim is really gone: the watch of
   * claims may be behind that of volumes, and what is deleted does not come back.
   */
  Written release(Volume volume, Reclaim then) {
    Written written = new Written();
    ObjectName name = Objects.requireNonNull(volume.claim());
    ApiResult found = api.get(Resources.PERSISTENT_VOLUME_CLAIMS, name);
    if (found instanceof ApiResult.Done(JsonObject tree)) {
      VolumeClaim claim = VolumeClaim.read(tree);
      boolean isOwn = claim.uid().equals(volume.claimUid());
      boolean isElsewhere = !claim.volume().isEmpty() && !claim.volume().equals(volume.name());
      if (isOwn && !isElsewhere) {
        // It is there after all, and is going to be heard of.
        return written;
      }
    } else if (!found.isNotFound()) {
      return written.failed((ApiResult.Failure) found);
    }
    JsonObject released = volume.tree();
    String phase = volume.phase();
    if (!phase.equals(Volume.RELEASED) && !phase.equals(Volume.FAILED)) {
      released =
          updateVolumeStatus(
              released, Binding.volumeStatus(released, Volume.RELEASED, ""), written);
    }
    return released == null ? written : reclaim(released, then, written);
  }

  private Written reclaim(JsonObject volume, Reclaim then, Written written) {
    switch (then) {
      case Reclaim.Keep _ -> {}
      case Reclaim.Delete _ -> {
        Metadata metadata = Metadata.of(volume);
        if (!metadata.isBeingDeleted()) {
          ApiResult deleted =
              api.delete(
                  Resources.PERSISTENT_VOLUMES,
                  ObjectName.of(volume),
                  DeleteOptions.NONE
                      .onlyUid(metadata.uid())
                      .onlyRevision(metadata.resourceVersion()));
          if (deleted instanceof ApiResult.Failure why && !deleted.isNotFound()) {
            written.failed(why);
          }
        }
      }
      case Reclaim.Fail(Notice notice) -> {
        JsonObject failed = Binding.volumeStatus(volume, Volume.FAILED, notice.message());
        if (isAnother(failed, volume) && updateVolumeStatus(volume, failed, written) != null) {
          written.say(notice);
        }
      }
    }
    return written;
  }

  private @Nullable JsonObject updateVolume(JsonObject old, JsonObject wanted, Written written) {
    return isAnother(old, wanted)
        ? written.took(api.update(Resources.PERSISTENT_VOLUMES, wanted))
        : old;
  }

  private @Nullable JsonObject updateVolumeStatus(
      JsonObject old, JsonObject wanted, Written written) {
    return isAnother(old, wanted)
        ? written.took(api.updateStatus(Resources.PERSISTENT_VOLUMES, wanted))
        : old;
  }

  private @Nullable JsonObject updateClaim(JsonObject old, JsonObject wanted, Written written) {
    return isAnother(old, wanted)
        ? written.took(api.update(Resources.PERSISTENT_VOLUME_CLAIMS, wanted))
        : old;
  }

  private @Nullable JsonObject updateClaimStatus(
      JsonObject old, JsonObject wanted, Written written) {
    return isAnother(old, wanted)
        ? written.took(api.updateStatus(Resources.PERSISTENT_VOLUME_CLAIMS, wanted))
        : old;
  }

  @SuppressWarnings("ReferenceEquality") // What is not to be changed is the same tree.
  private static boolean isAnother(JsonObject a, JsonObject b) {
    return a != b;
  }
}
