package dev.berth.controllers.persistentvolume;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.policy.persistentvolume.Notice;
import dev.berth.policy.persistentvolume.VolumeAction.Reclaim;
import dev.berth.policy.persistentvolume.VolumeBinding;
import dev.berth.policy.persistentvolume.VolumeDecision;
import java.util.Objects;
import java.util.Optional;
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
  Written bind(PersistentVolumeView volume, PersistentVolumeClaimView claim) {
    Written written = new Written();
    if (!isThere(volume, claim.name(), claim.uid(), written)) {
      return written;
    }
    JsonObject bound = updateVolume(volume.tree(), VolumeBinding.volume(volume, claim), written);
    if (bound == null) {
      return written;
    }
    bound = updateVolumeStatus(bound, volumeStatus(bound, PersistentVolumeView.BOUND), written);
    if (bound == null) {
      return written;
    }
    JsonObject claimed =
        updateClaim(claim.tree(), VolumeBinding.claim(claim, volume.name()), written);
    if (claimed != null) {
      updateClaimStatus(
          claimed,
          VolumeBinding.claimStatus(
              PersistentVolumeClaimView.read(claimed), PersistentVolumeView.read(bound)),
          written);
    }
    return written;
  }

  Written settle(PersistentVolumeClaimView claim, String phase) {
    Written written = new Written();
    updateClaimStatus(claim.tree(), VolumeBinding.claimStatus(claim, phase), written);
    return written;
  }

  /**
   * Says that a claim has lost its volume, unless the server knows better: another binder may have
   * bound them before this one heard of the volume, and the two are not to undo each other's work.
   *
   * @param notice what people are told if it is so
   */
  Written lose(PersistentVolumeClaimView claim, Notice notice) {
    Written written = new Written();
    if (!claim.volume().isEmpty()) {
      ApiResult found = api.get(Resources.PERSISTENT_VOLUMES, ObjectName.of(claim.volume()));
      if (found instanceof ApiResult.Failure why && !found.isNotFound()) {
        return written.failed(why);
      }
      if (found instanceof ApiResult.Done(JsonObject volume)
          && PersistentVolumeView.read(volume).claimUid().equals(claim.uid())) {
        return written.tryAgain();
      }
    }
    return settle(claim, PersistentVolumeClaimView.LOST).say(notice);
  }

  Written assignClass(PersistentVolumeClaimView claim, String storageClass) {
    Written written = new Written();
    updateClaim(claim.tree(), VolumeBinding.ofClass(claim.tree(), storageClass), written);
    return written;
  }

  Written ask(PersistentVolumeClaimView claim, StorageClassView storageClass) {
    Written written = new Written();
    updateClaim(claim.tree(), VolumeBinding.asked(claim, storageClass.provisioner()), written);
    return written;
  }

  /** Makes a volume that is a directory. Its name is the claim's own, so there is never another. */
  Written provision(PersistentVolumeClaimView claim, StorageClassView storageClass) {
    Written written = new Written();
    String hostname = "";
    if (!LocalDirectory.isShared(storageClass)) {
      ApiResult node = api.get(Resources.NODES, ObjectName.of(claim.selectedNode()));
      if (node.isNotFound()) {
        updateClaim(claim.tree(), VolumeBinding.unselected(claim), written);
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
        updateClaim(claim.tree(), VolumeBinding.asked(claim, storageClass.provisioner()), written);
    if (asked == null) {
      return written;
    }
    JsonObject volume =
        LocalDirectory.volume(PersistentVolumeClaimView.read(asked), storageClass, hostname);
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

  Written setPhase(PersistentVolumeView volume, String phase) {
    Written written = new Written();
    ObjectName claim = volume.claim();
    if (phase.equals(PersistentVolumeView.BOUND)
        && claim != null
        && !isThere(volume, claim, volume.claimUid(), written)) {
      return written;
    }
    updateVolumeStatus(volume.tree(), VolumeBinding.volumeStatus(volume, phase, ""), written);
    return written;
  }

  /**
   * Asks whether the claim of a volume that was released is there after all: another binder may
   * have heard of its end before this one, and the two are not to undo each other's work.
   */
  private boolean isThere(
      PersistentVolumeView volume, ObjectName name, String uid, Written written) {
    if (!volume.phase().equals(PersistentVolumeView.RELEASED)) {
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

  Written unbind(PersistentVolumeView volume) {
    Written written = new Written();
    JsonObject free = updateVolume(volume.tree(), VolumeBinding.unbound(volume), written);
    if (free != null) {
      updateVolumeStatus(free, volumeStatus(free, PersistentVolumeView.AVAILABLE), written);
    }
    return written;
  }

  /**
   * Releases a volume, having asked the server whether its claim is really gone: the watch of
   * claims may be behind that of volumes, and what is deleted does not come back.
   */
  Written release(PersistentVolumeView volume, Reclaim then) {
    Written written = new Written();
    ObjectName name = Objects.requireNonNull(volume.claim());
    ApiResult found = api.get(Resources.PERSISTENT_VOLUME_CLAIMS, name);
    if (found instanceof ApiResult.Done(JsonObject tree)) {
      if (VolumeDecision.isStillClaimed(volume, PersistentVolumeClaimView.read(tree))) {
        // It is there after all, and is going to be heard of.
        return written;
      }
    } else if (!found.isNotFound()) {
      return written.failed((ApiResult.Failure) found);
    }
    JsonObject released = volume.tree();
    if (!volume.isReleased()) {
      released =
          updateVolumeStatus(
              released, volumeStatus(released, PersistentVolumeView.RELEASED), written);
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
          if (deleted.isNotFound()) {
            return written;
          }
          if (deleted instanceof ApiResult.Failure why) {
            return written.failed(why);
          }
        }
        tellNode(volume, written);
      }
      case Reclaim.Fail(Notice notice) -> {
        JsonObject failed =
            VolumeBinding.volumeStatus(
                PersistentVolumeView.read(volume), PersistentVolumeView.FAILED, notice.message());
        if (isAnother(failed, volume) && updateVolumeStatus(volume, failed, written) != null) {
          written.say(notice);
        }
      }
    }
    return written;
  }

  /**
   * Tells the node of a directory that its volume is deleted, since only the node's agent can
   * remove it. The volume is deleted first: a directory that stays behind, because this ended in
   * between, costs room; one that is removed although its volume is kept costs data.
   */
  private void tellNode(JsonObject volume, Written written) {
    Optional<String> hostname = PersistentVolumeView.read(volume).hostname();
    if (hostname.isEmpty()) {
      return;
    }
    ListRequest nodes =
        ListRequest.of(Resources.NODES)
            .labels(WellKnownLabels.HOSTNAME + "=" + hostname.get())
            .metadata();
    switch (api.list(nodes)) {
      case ListResult.Page page -> {
        for (JsonObject node : page.items()) {
          if (Metadata.of(node).annotation(LocalDirectory.REMOVED_BY_AGENT).isPresent()) {
            tell(node, Metadata.of(volume).name(), written);
          }
        }
      }
      case ApiResult.Failure why -> written.failed(why);
    }
  }

  private void tell(JsonObject node, String volume, Written written) {
    JsonObject annotation = JsonObject.of(LocalDirectory.DELETED_PREFIX + volume, "true");
    ApiResult told =
        api.patch(
            Target.of(Resources.NODES, ObjectName.of(node)),
            PatchType.MERGE,
            JsonObject.of("metadata", JsonObject.of("annotations", annotation)));
    if (told instanceof ApiResult.Unreachable why) {
      written.failed(why);
    }
  }

  private static JsonObject volumeStatus(JsonObject volume, String phase) {
    return VolumeBinding.volumeStatus(PersistentVolumeView.read(volume), phase, "");
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
